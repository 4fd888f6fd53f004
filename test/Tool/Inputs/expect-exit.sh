# expect-exit.sh N COMMAND...: fails unless the command exits with N.
# A shell, because the tests do so more than five hundred times, and a Python takes fifty times as long to start.
wanted=$1
shift
"$@" </dev/null
code=$?
[ "$code" -eq "$wanted" ] && exit 0
echo "expect-exit.sh: exit code $code instead of $wanted" >&2
exit 1
