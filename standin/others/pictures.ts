/** The hosts of pictures: thumbnails, faces, banners. */
import { type Answer, type Ground, notFound, type Visit } from '#standin/answer.ts';
import { avatarFile, bannerFile, thumbnailFile } from '#standin/media/pictures.ts';

export async function pictures(visit: Visit, { catalogue, mediaFolder }: Ground): Promise<Answer> {
  const [, what = '', id = ''] = /^\/(vi|avatar|banner|face|clip)[-/]([-\w.]+)/.exec(visit.url.pathname) ?? [];
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
