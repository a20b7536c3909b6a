/** The page of yt-dlp's releases, as far as anybody reads it: which is the newest, its sums, the program. */
import { createHash } from 'node:crypto';
import { type Answer, type Ground, html, notFound, text, type Visit } from '#standin/answer.ts';

const at = '/yt-dlp/yt-dlp/releases';

export function ytdlpReleases({ url }: Visit, { catalogue }: Ground): Answer {
  const newest = catalogue.ytdlpReleases.at(-1);
  if (!newest || !url.pathname.startsWith(at)) return notFound();
  const path = url.pathname.slice(at.length);
  if (path === '/latest')
    return { status: 302, type: 'text/plain', body: '', headers: { location: `https://github.com${at}/tag/${newest.version}` } };
  if (path.startsWith('/tag/')) return html(`<title>yt-dlp ${path.slice(5)}</title>`);
  const [, version, name] = /^\/(?:download\/([\d.]+)|latest\/download)\/([\w-]+)$/.exec(path) ?? [];
  const release = version ? catalogue.ytdlpReleases.find((one) => one.version === version) : newest;
  if (!release) return notFound();
  if (name !== 'SHA2-256SUMS') return { type: 'application/octet-stream', body: release.program };
  const sum = createHash('sha256')
    .update(release.hasWrongSum ? 'something else' : release.program)
    .digest('hex');
  return text(['yt-dlp', 'yt-dlp_linux', 'yt-dlp_linux_aarch64'].map((one) => `${sum}  ${one}`).join('\n'));
}
