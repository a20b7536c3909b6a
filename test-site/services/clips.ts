/** clips.example: a generic site with one video per page. */
import { execFile } from 'node:child_process';
import { createCipheriv } from 'node:crypto';
import { promisify } from 'node:util';
import { type Answer, escapeHtml, type SiteContext, html, notFound, type SiteRequest } from '../answer.ts';
import { ffmpegPath, mediaFile } from '../media/encode.ts';
import { thumbnailFile } from '../media/pictures.ts';

const run = promisify(execFile);
const key = Buffer.alloc(16, 7);

/** Serves a clip as an HLS stream of one segment, encrypted with AES-128 (RFC 8216, section 5.2): its playlist, key or segment. */
async function encrypted(clip: { slug: string; ending: string; durationSeconds: number; file: string }): Promise<Answer> {
  const { slug, ending: extension, durationSeconds, file } = clip;
  if (extension === 'key') return { type: 'application/octet-stream', body: key };
  if (extension === 'ts') {
    const args = ['-hide_banner', '-loglevel', 'error', '-i', file, '-c', 'copy', '-f', 'mpegts', '-'];
    const { stdout } = await run(ffmpegPath(), args, { encoding: 'buffer', maxBuffer: 100_000_000 });
    const cipher = createCipheriv('aes-128-cbc', key, Buffer.alloc(16));
    return { type: 'video/mp2t', body: Buffer.concat([cipher.update(stdout), cipher.final()]) };
  }
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:3',
    `#EXT-X-TARGETDURATION:${durationSeconds}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    `#EXT-X-KEY:METHOD=AES-128,URI="${slug}.key"`,
    `#EXTINF:${durationSeconds},`,
    `${slug}.ts`,
    '#EXT-X-ENDLIST',
  ];
  return { type: 'application/vnd.apple.mpegurl', body: `${lines.join('\n')}\n` };
}

// curl_cffi sends the client hints of the browser that it impersonates.
const looksLikeBrowser = ({ headers }: SiteRequest) => headers['sec-ch-ua'] !== undefined;

const cloudflare: Answer = {
  status: 403,
  type: 'text/html; charset=utf-8',
  body: '<!doctype html><title>Just a moment...</title>',
  headers: { 'cf-mitigated': 'challenge' },
};

export async function clips(request: SiteRequest, { catalogue, mediaFolder }: SiteContext): Promise<Answer> {
  const { url } = request;
  const [, category = '', slug = '', extension = ''] =
    /^\/(watch|files|pictures|hls)\/([-\w]+?)(?:\.(\w+))?$/.exec(url.pathname) ?? [];
  const clip = catalogue.clips.find((each) => each.slug === slug);
  if (!clip) return notFound();
  if (category === 'watch' && clip.wantsBrowser && !looksLikeBrowser(request)) return cloudflare;
  const { look, durationSeconds } = clip;
  if (category === 'pictures') return { file: await thumbnailFile({ look, headline: '' }, mediaFolder), type: 'image/jpeg' };
  const film = () => mediaFile({ look, durationSeconds, width: 640, height: 360, encoding: 'both' }, mediaFolder);
  if (category === 'files') return { file: await film(), type: 'video/mp4' };
  if (category === 'hls') return encrypted({ slug, ending: extension, durationSeconds, file: await film() });
  if (clip.source) {
    const title = escapeHtml(clip.title);
    return html(`<!doctype html><title>${title}</title><video><source src="${escapeHtml(clip.source)}"></video>`);
  }
  const at = `https://clips.example`;
  const described = {
    '@context': 'https://schema.org',
    '@type': 'VideoObject',
    name: clip.title,
    description: clip.description,
    contentUrl: `${at}/files/${slug}.mp4`,
    thumbnailUrl: [`${at}/pictures/${slug}.jpg`],
    uploadDate: '2025-03-14T09:00:00Z',
    duration: `PT${durationSeconds}S`,
  };
  return html(`<!doctype html><html><head><title>${escapeHtml(clip.title)}</title>
<script type="application/ld+json">${JSON.stringify(described).replaceAll('<', '\\u003c')}</script></head>
<body><h1>${escapeHtml(clip.title)}</h1><p>${escapeHtml(clip.description)}</p></body></html>`);
}
