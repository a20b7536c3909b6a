/** A channel page: its tabs, the first thirty entries of the selected one, and continuations. */
import type { SiteContext } from '../answer.ts';
import { type Catalogue, type Channel, type VideoKind, videosOf } from '../catalogue.ts';
import { lockup, playlistLockup, shortsLockup, videoRenderer } from './entries.ts';
import { avatarOf, bannerOf, continuationItem } from './page.ts';
import { compact } from './words.ts';

const PAGE_ENTRIES = 30;

const tabTitles = { featured: 'Home', videos: 'Videos', shorts: 'Shorts', streams: 'Live', playlists: 'Playlists' } as const;
export type Tab = keyof typeof tabTitles;
const kinds: Partial<Record<Tab, VideoKind>> = { videos: 'video', shorts: 'short', streams: 'stream' };

function hasTab(catalogue: Catalogue, channel: Channel, tab: Tab): boolean {
  if (tab === 'featured') return true;
  if (channel.tabs) return channel.tabs.includes(tab);
  const kind = kinds[tab];
  return kind
    ? videosOf(catalogue, channel.id, kind).length > 0
    : catalogue.playlists.some((playlist) => playlist.channelId === channel.id && !playlist.private);
}

/** Returns the number of entries of a tab and a part of them. */
function entriesOf(
  catalogue: Catalogue,
  channel: Channel,
  tab: Tab,
  [from, to]: [number, number],
): { count: number; some: object[] } {
  if (tab === 'playlists') {
    const lists = catalogue.playlists.filter((playlist) => playlist.channelId === channel.id && !playlist.private);
    return {
      count: lists.length,
      some: lists.slice(from, to).map((playlist) => ({ lockupViewModel: playlistLockup(playlist) })),
    };
  }
  const kind = kinds[tab];
  const videos = kind ? videosOf(catalogue, channel.id, kind) : [];
  const some = videos.slice(from, to).map((video) => {
    if (kind === 'short') return rich({ shortsLockupViewModel: shortsLockup(video) });
    return rich(
      channel.layout === 'lockup' ? { lockupViewModel: lockup(video) } : { videoRenderer: videoRenderer(video, channel) },
    );
  });
  return { count: videos.length, some };
}

function rich(content: object): object {
  return { richItemRenderer: { content } };
}

function pageOf(catalogue: Catalogue, channel: Channel, tab: Tab, from: number): object[] {
  const { count, some } = entriesOf(catalogue, channel, tab, [from, from + PAGE_ENTRIES]);
  const next = from + PAGE_ENTRIES < count ? [continuationItem(`tab/${channel.id}/${tab}/${from + PAGE_ENTRIES}`)] : [];
  return [...some, ...next];
}

function contentOf(catalogue: Catalogue, channel: Channel, tab: Tab): object {
  const contents = pageOf(catalogue, channel, tab, 0);
  if (tab !== 'playlists') return { richGridRenderer: { contents } };
  return { sectionListRenderer: { contents: [{ itemSectionRenderer: { contents: [{ gridRenderer: { items: contents } }] } }] } };
}

function header(channel: Channel): object {
  const image = {
    sources: [1060, 1707].map((width) => ({ url: bannerOf(channel, width), width, height: Math.round((width * 175) / 1060) })),
  };
  const parts = [{ text: { content: `${compact(channel.subscribers)} subscribers` } }];
  return {
    pageHeaderRenderer: {
      pageTitle: channel.name,
      content: {
        pageHeaderViewModel: {
          banner: { imageBannerViewModel: { image } },
          metadata: { contentMetadataViewModel: { metadataRows: [{ metadataParts: parts }] } },
        },
      },
    },
  };
}

/** The page of a tab; Home if the channel does not have it. */
export function channelData(channel: Channel, requestedTab: Tab, { catalogue }: SiteContext): object {
  const tabs = (Object.keys(tabTitles) as Tab[]).filter((tab) => hasTab(catalogue, channel, tab));
  const selected = tabs.includes(requestedTab) ? requestedTab : 'featured';
  return {
    contents: {
      twoColumnBrowseResultsRenderer: {
        tabs: tabs.map((tab) => ({
          tabRenderer: {
            title: tabTitles[tab],
            endpoint: { commandMetadata: { webCommandMetadata: { url: `/${channel.handle}/${tab}` } } },
            ...(tab === selected ? { selected: true, content: contentOf(catalogue, channel, tab) } : {}),
          },
        })),
      },
    },
    metadata: {
      channelMetadataRenderer: {
        title: channel.name,
        externalId: channel.id,
        vanityChannelUrl: `http://www.youtube.com/${channel.handle}`,
        description: channel.description,
        avatar: { thumbnails: [{ url: avatarOf(channel, 900), width: 900, height: 900 }] },
      },
    },
    microformat: { microformatDataRenderer: { tags: channel.tags, noindex: false, unlisted: false } },
    header: header(channel),
  };
}

/** A continuation of a tab; null for other tokens. */
export function tabContinuation(token: string, { catalogue }: SiteContext): object | null {
  const [what, channelId, tab, from] = token.split('/');
  const channel = catalogue.channels.find(({ id }) => id === channelId);
  if (what !== 'tab' || !channel || !tab || !(tab in tabTitles)) return null;
  const continuationItems = pageOf(catalogue, channel, tab as Tab, Number(from));
  return { onResponseReceivedActions: [{ appendContinuationItemsAction: { continuationItems } }] };
}
