import { createBrowserRouter } from 'react-router';
import { Home } from './home/Home.tsx';
import { Oops, PageOops } from './shell/Oops.tsx';
import { Shell } from './shell/Shell.tsx';
import { fetchVideoPage } from './video/fetch-page.ts';

// With its slash: whatever is outside of that is outside of the app where it is installed.
const base = new URL(document.baseURI).pathname;
if (`${location.pathname}/` === base) history.replaceState(null, '', `${base}${location.search}${location.hash}`);

// The map of the site. Home is what most visits begin with; every other page is fetched when it is gone to.
export const router = createBrowserRouter(
  [
    { path: '/login/', lazy: async () => ({ Component: (await import('./user/Login.tsx')).Login }), ErrorBoundary: Oops },
    {
      path: '/logged-in/',
      lazy: async () => ({ Component: (await import('./user/LoggedIn.tsx')).LoggedIn }),
      ErrorBoundary: Oops,
    },
    {
      path: '/',
      Component: Shell,
      ErrorBoundary: Oops,
      HydrateFallback: () => null,
      children: [
        {
          // What breaks is one page: the way to the others stays, and so does what plays.
          ErrorBoundary: PageOops,
          children: [
            { index: true, Component: Home },
            { path: 'video/:videoId/', lazy: async () => ({ Component: (await fetchVideoPage()).VideoPage }) },
            { path: 'channel/', lazy: async () => ({ Component: (await import('./channel/Channels.tsx')).Channels }) },
            {
              path: 'channel/:channelId/:tab?/',
              lazy: async () => ({ Component: (await import('./channel/ChannelPage.tsx')).ChannelPage }),
            },
            { path: 'playlist/', lazy: async () => ({ Component: (await import('./playlist/Playlists.tsx')).Playlists }) },
            {
              path: 'playlist/:playlistId/',
              lazy: async () => ({ Component: (await import('./playlist/PlaylistPage.tsx')).PlaylistPage }),
            },
            { path: 'list/:listId/', lazy: async () => ({ Component: (await import('./lists/ListPage.tsx')).ListPage }) },
            { path: 'search/', lazy: async () => ({ Component: (await import('./search/SearchPage.tsx')).SearchPage }) },
            { path: 'downloads/', lazy: async () => ({ Component: (await import('./downloads/Downloads.tsx')).Downloads }) },
            {
              path: 'settings/:tab?/',
              lazy: async () => ({ Component: (await import('./settings/Settings.tsx')).SettingsPage }),
            },
            { path: 'about/', lazy: async () => ({ Component: (await import('./settings/About.tsx')).About }) },
            { path: 'share/', lazy: async () => ({ Component: (await import('./shell/Share.tsx')).Share }) },
            { path: '*', lazy: async () => ({ Component: (await import('./shell/Lost.tsx')).NotFound }) },
          ],
        },
      ],
    },
  ],
  { basename: base },
);
