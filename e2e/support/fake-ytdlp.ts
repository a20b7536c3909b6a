import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const lots = 200_000_000;
const longLine = 50_000_000;

// Faulty behaviours as sh code; $id is the video, and the working folder is where the server expects the files.
const behaviours = {
  silent: 'exec sleep 600',
  deaf: `trap '' TERM; while :; do sleep 1; done`,
  babbling: `yes 'this is no line of yt-dlp {"and": no JSON' | head -c ${lots}; exit 1`,
  wailing: `yes 'WARNING: nothing in particular' | head -c ${lots} >&2; exit 1`,
  longWinded: `head -c ${longLine} /dev/zero | tr '\\0' x; echo`,
  half: `printf '{"id": "%s", "title": "Ha' "$id" | tee "$id.info.json"`,
  notANumber: `printf '{"id": "%s", "extractor_key": "Youtube", "duration": NaN}\\n' "$id" | tee "$id.info.json"`,
  nobody: `printf '{"title": [], "duration": "long"}\\n' | tee "$id.info.json"`,
  other: `printf '{"id": "otherVideo1", "extractor_key": "Youtube"}\\n' | tee "$id.info.json"; printf x > "$id.mp4"`,
  crashing: 'kill -SEGV $$',
  killed: 'kill -KILL $$',
  mute: 'exit 0',
};
export type Behaviour = keyof typeof behaviours;

/**
 * Creates a yt-dlp that behaves like the real one, except for videos with a configured fault: a file named after the video and
 * the step (`look-up` or `download`) contains the code to run instead.
 */
export async function createFakeYtdlp(folder: string, real: string) {
  const faultFolder = join(folder, 'faults');
  const path = join(folder, 'yt-dlp');
  await mkdir(faultFolder, { recursive: true });
  await writeFile(
    path,
    `#!/bin/sh
case "$*" in *--progress-template*) when=download ;; *) when=look-up ;; esac
for file in '${faultFolder}'/*."$when"; do
  id=\${file##*/}
  id=\${id%."$when"}
  case "$*" in *"$id") PATH=/usr/bin:/bin:$PATH ; . "$file" ; exit ;; esac
done
exec '${real}' "$@"
`,
  );
  await chmod(path, 0o755);
  return {
    path,
    setFault: (id: string, when: 'look-up' | 'download', behaviour: Behaviour) =>
      writeFile(join(faultFolder, `${id}.${when}`), behaviours[behaviour]),
  };
}
