/** clips.example: a plain page with one video, as a thousand sites have them. */
import { type Answer, escapeHtml, type Ground, html, notFound, type Visit } from '#standin/answer.ts';
import { mediaFile } from '#standin/media/encode.ts';
import { thumbnailFile } from '#standin/media/pictures.ts';

export async function clips({ url }: Visit, { catalogue, mediaFolder }: Ground): Promise<Answer> {
  const [, place = '', slug = ''] = /^\/(watch|files|pictures)\/([-\w]+?)(?:\.\w+)?$/.exec(url.pathname) ?? [];
  const clip = catalogue.clips.find((each) => each.slug === slug);
  if (!clip) return notFound();
  const { look, durationSeconds } = clip;
  if (place === 'pictures') return { file: await thumbnailFile({ look, headline: '' }, mediaFolder), type: 'image/jpeg' };
  if (place === 'files') {
    const file = await mediaFile({ look, durationSeconds, width: 640, height: 360, encoding: 'both' }, mediaFolder);
    return { file, type: 'video/mp4' };
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
