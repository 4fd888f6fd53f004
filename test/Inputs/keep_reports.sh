# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# keep_reports.sh FOLDER TOOL ARGUMENTS...
#   Runs the tool. A JSON report that it writes is kept in FOLDER as well, if that is not empty; the test run checks them all in the
#   end (check_reports.py). What is written is not run against the original unless the test asks for it: tests have their own
#   descriptions for that, or none of it is about running.
#   A shell, and as few programs as can be, because the tests run the tool thousands of times; a Python takes ten times as long to start.
kept=$1
tool=$2
shift 2
rewrites=1
for word; do
  case $word in
    --) break ;;
    check | verify | bench | launch | explain | rules | --self-check* | -self-check*) rewrites= ;;
  esac
done
if [ -n "$rewrites" ]; then
  set -- "$tool" --self-check=off "$@"
else
  set -- "$tool" "$@"
fi
[ -z "$kept" ] && exec "$@"
said= files= last=
for word; do
  case $last$word in
    --format=json | -format=json | --formatjson | -formatjson) said=1 ;;
    --report*.json | -report*.json) files=1 ;;
    --) break ;;
  esac
  case $word in
    --format | -format | --report | -report) last=$word ;;
    *) last= ;;
  esac
done
[ -z "$said$files" ] && exec "$@"

# No other process has this number now; one before may have had it.
new=$kept/$$ more=
while [ -e "$new.0.json" ] || [ -e "$new.1.json" ]; do
  more=$((more + 1))
  new=$kept/$$-$more
done
if [ -n "$said" ]; then
  "$@" >"$new.0.json"
  code=$?
  if [ -s "$new.0.json" ]; then
    cat "$new.0.json" || code=$?
    echo "in $PWD: $*" >"$new.0.json.from"
  else
    rm "$new.0.json"
  fi
else
  "$@"
  code=$?
fi
if [ -n "$files" ]; then
  count=0 last=
  for word; do
    case $last$word in
      --report*.json | -report*.json)
        word=${word#*=}
        if [ -f "$word" ]; then
          count=$((count + 1))
          cp "$word" "$new.$count.json"
          echo "in $PWD: $*" >"$new.$count.json.from"
        fi
        ;;
    esac
    case $word in --report | -report) last=$word ;; *) last= ;; esac
  done
fi
exit $code
