import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

// No machine of the tests has hardware that encodes.

/**
 * Writes a program in which libx264 with other settings stands in for VAAPI. Each run is a line of the file `runs` in the folder. It
 * waits while the file `held` exists, and fails if the file `broken` exists. Returns the path of the program.
 */
export async function writeStandIn(ffmpeg: string, folder: string): Promise<string> {
  const path = join(folder, 'ffmpeg-stand-in');
  const text = `#!/bin/sh
n=$#
hardware=
while [ "$n" -gt 0 ]; do
  a=$1
  shift
  n=$((n - 1))
  case $a in
    -init_hw_device | -filter_hw_device | -hwaccel | -hwaccel_device) hardware=1; shift; n=$((n - 1)) ;;
    h264_vaapi) set -- "$@" libx264 -preset ultrafast -sc_threshold 0 ;;
    *hwupload*) set -- "$@" "$(printf %s "$a" | sed 's/hwupload,scale_vaapi/scale/')" ;;
    *) set -- "$@" "$a" ;;
  esac
done
if [ -n "$hardware" ]; then
  echo "$*" >>'${folder}/runs'
  while [ -e '${folder}/held' ]; do sleep 0.02; done
  if [ -e '${folder}/broken' ]; then
    echo '[h264_vaapi @ 0x55e7] Failed to end picture encode issue: 1 (operation failed)' >&2
    exit 1
  fi
fi
exec '${ffmpeg}' "$@"
`;
  await writeFile(path, text, { mode: 0o755 });
  return path;
}
