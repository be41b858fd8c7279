# Read by bash before a command (BASH_ENV): tells the exit codes of the last pipeline's stages through a descriptor.
trap "printf %s \"\${PIPESTATUS[*]}\" >&$PAICLI_STAGE_FD" EXIT
unset PAICLI_STAGE_FD
if [ -n "${PAICLI_USER_BASH_ENV-}" ]; then
  export BASH_ENV="$PAICLI_USER_BASH_ENV"
  unset PAICLI_USER_BASH_ENV
  if [ -r "$BASH_ENV" ]; then . "$BASH_ENV"; fi
else
  unset BASH_ENV PAICLI_USER_BASH_ENV
fi
