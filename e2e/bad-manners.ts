import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const lots = 200_000_000;
const longLine = 50_000_000;

// What it does instead of what it should, in sh; $id is the video, and the folder is where its files are awaited.
const manners = {
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
export type Manner = keyof typeof manners;

/**
 * A yt-dlp that behaves like the real one, but for the videos it was told to misbehave with: a file of that name says how,
 * and whether already when it looks the video up or not before it downloads it.
 */
export async function aMoodyYtdlp(folder: string, real: string) {
  const told = join(folder, 'told');
  const path = join(folder, 'yt-dlp');
  await mkdir(told, { recursive: true });
  await writeFile(
    path,
    `#!/bin/sh
case "$*" in *--progress-template*) when=download ;; *) when=look-up ;; esac
for file in '${told}'/*."$when"; do
  id=\${file##*/}
  id=\${id%."$when"}
  case "$*" in *"$id") . "$file" ; exit ;; esac
done
exec '${real}' "$@"
`,
  );
  await chmod(path, 0o755);
  return {
    path,
    tell: (id: string, when: 'look-up' | 'download', manner: Manner) => writeFile(join(told, `${id}.${when}`), manners[manner]),
  };
}
