# usage-error.sh COMMAND...: runs a command that must be a usage error: exit 2, one line on standard error, nothing on standard output.
# A shell, because the tests do so hundreds of times, and a Python takes fifty times as long to start.
newline='
'
# What is said on standard error, then a line with the exit code and what is said on standard output.
all=$({ said=$("$@" </dev/null 2>&3); code=$?; printf '\n@%s@%s' "$code" "$said"; } 3>&1)
rest=${all##*"$newline@"}
errors=${all%"$newline@"*}
printf '%s' "$errors" >&2
wrong=
[ "${rest%%@*}" = 2 ] || wrong="exit code ${rest%%@*} instead of 2; "
[ -z "${rest#*@}" ] || wrong="$wrong""standard output: ${rest#*@}; "
{ [ -n "$errors" ] && [ -z "${errors#*"$newline"}" ]; } || wrong="$wrong""not one line on standard error; "
[ -z "$wrong" ] && exit 0
echo "usage-error.sh: $wrong"
exit 1
