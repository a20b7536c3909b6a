import { parseXml, XmlElement } from '@rgrove/parse-xml';
import { parseInput } from '../../../archive/sites/parse-input.ts';

const videoId = /^[-\w]{11}$/;

/** Metadata in an NFO file, as media centers and other archives write it. */
export interface Nfo {
  /** The YouTube id, from `uniqueid` or `youtubeid`, or from the page URL at the start of the text, as ytdl-sub writes it. */
  id: string | null;
  title: string | null;
  /** The page URL at the start of the text, for any site. */
  page: string | null;
}

/** Reads an NFO file; missing or unreadable fields are null. */
export function readNfo(text: string): Nfo {
  let root: XmlElement | null;
  try {
    root = parseXml(text.replace(/^\ufeff/, '').trim()).root;
  } catch {
    return { id: null, title: null, page: null }; // some programs write a bare URL, or a URL after the XML
  }
  const parts = (root?.children ?? []).filter((part) => part instanceof XmlElement);
  const named = (name: string) => parts.filter((part) => part.name === name);
  const isYoutube = (type: string | undefined) => type?.toLowerCase() === 'youtube';
  const outright = [...named('uniqueid').filter((part) => isYoutube(part.attributes.type)), ...named('youtubeid')]
    .map((part) => part.text.trim())
    .find((id) => videoId.test(id));
  const pages = named('plot').flatMap((part) => {
    const [address = ''] = part.text.trim().split(/\s/);
    const page = /^https?:/.test(address) ? parseInput(address) : null;
    return page?.what === 'page' || page?.what === 'video' ? [page] : [];
  });
  return {
    id: outright ?? pages.find(({ site }) => site === 'youtube')?.id ?? null,
    title: named('title')[0]?.text.trim() || null,
    page: pages[0]?.url ?? null,
  };
}
