/** The HTML around the data, and data shared by all pages. */
import { type Answer, escapeHtml, html } from '../answer.ts';
import type { Channel } from '../catalogue.ts';
import { playerIdOf, playerUrl } from './challenges.ts';

const ytcfg = {
  INNERTUBE_API_KEY: 'stand-in-key',
  INNERTUBE_CONTEXT: {
    client: { clientName: 'WEB', clientVersion: '2.20250601.00.00', hl: 'en', gl: 'US', visitorData: 'CgtzdGFuZC1pbg%3D%3D' },
  },
  INNERTUBE_CONTEXT_CLIENT_NAME: 1,
  INNERTUBE_CLIENT_VERSION: '2.20250601.00.00',
  VISITOR_DATA: 'CgtzdGFuZC1pbg%3D%3D',
};

/** Serializes data for a script element; `<` is escaped, so that no title can end the element. */
function scripted(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', String.raw`\u003c`);
}

/** A page of the site; its visible content is only the title. `playerId`: of a video whose player is another one. */
export function sitePage(title: string, data: { initial?: object; player?: object; playerId?: string }): Answer {
  const config = { ...ytcfg, PLAYER_JS_URL: playerUrl(data.playerId ?? playerIdOf()) };
  const scripts = [
    `ytcfg.set(${scripted(config)});`,
    ...(data.player ? [`var ytInitialPlayerResponse = ${scripted(data.player)};`] : []),
    ...(data.initial ? [`var ytInitialData = ${scripted(data.initial)};`] : []),
  ];
  const body = scripts.map((script) => `<script nonce="stand-in">${script}</script>`).join('\n');
  return html(`<!doctype html><html lang="en"><head><title>${escapeHtml(title)}</title></head><body>${body}</body></html>`);
}

export function iframeApi(): Answer {
  return {
    type: 'text/javascript',
    body: String.raw`var scriptUrl = 'https:\/\/www.youtube.com\/s\/player\/${playerIdOf()}\/www-widgetapi.vflset\/www-widgetapi.js';`,
  };
}

export function thumbnailsOf(videoId: string): { url: string; width: number; height: number }[] {
  return [
    { url: `https://i.ytimg.com/vi/${videoId}/hqdefault.jpg`, width: 480, height: 360 },
    { url: `https://i.ytimg.com/vi/${videoId}/maxresdefault.jpg`, width: 1280, height: 720 },
  ];
}

export function avatarOf(channel: Channel, size = 176): string {
  return `https://yt3.googleusercontent.com/avatar-${channel.id}=s${size}`;
}

export function bannerOf(channel: Channel, width = 1060): string {
  return `https://yt3.googleusercontent.com/banner-${channel.id}=w${width}`;
}

/** A text with a link to the channel. */
export function channelRun(channel: Channel): object {
  return {
    runs: [
      {
        text: channel.name,
        navigationEndpoint: {
          browseEndpoint: { browseId: channel.id, canonicalBaseUrl: `/${channel.handle}` },
          commandMetadata: { webCommandMetadata: { url: `/${channel.handle}` } },
        },
      },
    ],
  };
}

/** The last item of a list page with the token of the next one. */
export function continuationItem(token: string): object {
  return { continuationItemRenderer: { continuationEndpoint: { continuationCommand: { token } } } };
}
