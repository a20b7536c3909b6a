/** Image hosts: thumbnails, avatars, banners. */
import { type Answer, type SiteContext, notFound, type SiteRequest } from '../answer.ts';
import { avatarFile, bannerFile, thumbnailFile } from '../media/pictures.ts';

export async function pictures(request: SiteRequest, { catalogue, mediaFolder }: SiteContext): Promise<Answer> {
  const [, what = '', id = ''] = /^\/(vi|avatar|banner|face|clip)[-/]([-\w.]+)/.exec(request.url.pathname) ?? [];
  const jpeg = (file: string): Answer => ({ file, type: 'image/jpeg' });
  if (what === 'vi') {
    const video = catalogue.videos.find((each) => each.id === id);
    return video ? jpeg(await thumbnailFile(video, mediaFolder)) : notFound();
  }
  const channel = catalogue.channels.find((each) => each.id === id);
  if (what === 'avatar' && channel) return jpeg(await avatarFile(channel, mediaFolder));
  if (what === 'banner' && channel) return jpeg(await bannerFile(channel, mediaFolder));
  return notFound();
}
