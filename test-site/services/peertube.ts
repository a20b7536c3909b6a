/** tube.example: a PeerTube instance with the clips that have PeerTube ids, and German subtitles as SRT. */
import { type Answer, type SiteContext, escapeHtml, html, json, notFound, type SiteRequest, text } from '../answer.ts';

export function peertube({ url }: SiteRequest, { catalogue }: SiteContext): Answer {
  if (url.pathname === '/captions/de.srt') return text('1\n00:00:00,000 --> 00:00:02,000\nGuten Tag.\n');
  const [, folder = '', id = '', more = ''] =
    /^\/(w|videos\/watch|api\/v1\/videos)\/([-\w]+)(?:\/(\w*))?$/.exec(url.pathname) ?? [];
  const clip = catalogue.clips.find(({ peertubeIds }) => peertubeIds?.includes(id));
  if (!clip) return notFound();
  if (folder !== 'api/v1/videos')
    return html(`<!doctype html><title>${escapeHtml(clip.title)}</title><meta property="og:platform" content="PeerTube">`);
  if (more === 'captions') return json({ total: 1, data: [{ language: { id: 'de' }, captionPath: '/captions/de.srt' }] });
  return json({
    name: clip.title,
    description: clip.description,
    duration: clip.durationSeconds,
    publishedAt: '2025-03-14T09:00:00Z',
    thumbnailPath: '/nothing.jpg',
    channel: { id: 2, displayName: 'Tube', url: 'https://tube.example/video-channels/tube' },
    files: [{ fileUrl: `https://clips.example/files/${clip.slug}.mp4`, resolution: { label: '360p' }, fps: 30 }],
  });
}
