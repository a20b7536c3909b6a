/** bilibili.com: lists the parts of videos that have several. */
import { type Answer, type SiteContext, html, json, notFound, type SiteRequest } from '../answer.ts';

export function bilibili({ url }: SiteRequest, { catalogue }: SiteContext): Answer {
  const bvid = url.searchParams.get('bvid') ?? /^\/video\/(BV\w+)/.exec(url.pathname)?.[1];
  const clip = catalogue.clips.find((each) => bvid !== undefined && each.bilibili?.bvid === bvid);
  if (!clip?.bilibili) return notFound();
  const pages = Array.from({ length: clip.bilibili.parts }, (_, index) => ({ page: index + 1, cid: index + 1 }));
  if (url.pathname === '/x/player/pagelist') return json({ code: 0, data: pages });
  const state = { videoData: { bvid, title: clip.title, aid: 1, cid: 1, pages } };
  return html(`<!doctype html><script>window.__INITIAL_STATE__=${JSON.stringify(state)};</script>`);
}
