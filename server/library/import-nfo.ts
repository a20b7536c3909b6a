import { parseXml, XmlElement } from '@rgrove/parse-xml';
import { classify } from '../download/classify.ts';

const videoId = /^[-\w]{11}$/;

/** What an NFO file tells of a video, as media centres and other archives write it. */
export interface Nfo {
  /** Of a YouTube video: `uniqueid` and `youtubeid` say it outright; a text that begins with the page's address is how ytdl-sub says it. */
  id: string | null;
  title: string | null;
  /** The address of a video, or of whatever a page elsewhere shows, that the text begins with. */
  page: string | null;
}

/** Reads an NFO file; what it does not tell, or nobody can read, is null. */
export function readNfo(text: string): Nfo {
  let root: XmlElement | null;
  try {
    root = parseXml(text.replace(/^\ufeff/, '').trim()).root;
  } catch {
    return { id: null, title: null, page: null }; // some programs write a bare address, or an address after the XML
  }
  const parts = (root?.children ?? []).filter((part) => part instanceof XmlElement);
  const said = (name: string) => parts.filter((part) => part.name === name);
  const isYoutube = (type: string | undefined) => type?.toLowerCase() === 'youtube';
  const outright = [...said('uniqueid').filter((part) => isYoutube(part.attributes.type)), ...said('youtubeid')]
    .map((part) => part.text.trim())
    .find((id) => videoId.test(id));
  const pages = said('plot').flatMap((part) => {
    const [address = ''] = part.text.trim().split(/\s/);
    const page = /^https?:/.test(address) ? classify(address) : null;
    return page?.what === 'page' || page?.id ? [page] : [];
  });
  return {
    id: outright ?? pages.find(({ what, id }) => what === 'video' && id)?.id ?? null,
    title: said('title')[0]?.text.trim() || null,
    page: pages[0]?.url ?? null,
  };
}
