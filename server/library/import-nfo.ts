import { parseXml, XmlElement } from '@rgrove/parse-xml';
import { classify } from '../download/classify.ts';

const videoId = /^[-\w]{11}$/;

/**
 * The id of a YouTube video that an NFO file names, as media centres and other archives write it; null when none. `uniqueid`
 * and `youtubeid` say it outright; a text that begins with the page's address is how ytdl-sub says it.
 */
export function idOfNfo(text: string): string | null {
  let root: XmlElement | null;
  try {
    root = parseXml(text.replace(/^\ufeff/, '').trim()).root;
  } catch {
    return null; // some programs write a bare address, or an address after the XML
  }
  const parts = (root?.children ?? []).filter((part) => part instanceof XmlElement);
  const said = (name: string) => parts.filter((part) => part.name === name);
  const isYoutube = (type: string | undefined) => type?.toLowerCase() === 'youtube';
  const outright = [...said('uniqueid').filter((part) => isYoutube(part.attributes.type)), ...said('youtubeid')]
    .map((part) => part.text.trim())
    .find((id) => videoId.test(id));
  if (outright) return outright;
  for (const part of said('plot')) {
    const [address = ''] = part.text.trim().split(/\s/);
    const page = /^https?:/.test(address) ? classify(address) : null;
    if (page?.what === 'video' && page.id) return page.id;
  }
  return null;
}
