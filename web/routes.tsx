import { createBrowserRouter } from 'react-router';
import { Home } from './home/Home.tsx';
import { ErrorPage, PageError } from './shell/ErrorPage.tsx';
import { Shell } from './shell/Shell.tsx';
import { fetchVideoPage } from './video/page/fetch-page.ts';

// With a trailing slash: anything outside this scope is outside of the installed app.
const base = new URL(document.baseURI).pathname;
if (`${location.pathname}/` === base) history.replaceState(null, '', `${base}${location.search}${location.hash}`);

// Until the code of the page is loaded.
const HydrateFallback = () => null;

// Routes. Home is bundled because most visits start there; all other pages are loaded on demand.
export const router = createBrowserRouter(
  [
    {
      path: '/login/',
      lazy: async () => ({ Component: (await import('./user/Login.tsx')).Login }),
      ErrorBoundary: ErrorPage,
      HydrateFallback,
    },
    {
      path: '/logged-in/',
      lazy: async () => ({ Component: (await import('./user/LoggedIn.tsx')).LoggedIn }),
      ErrorBoundary: ErrorPage,
      HydrateFallback,
    },
    // Without the layout, which needs the server.
    {
      path: '/offline/',
      lazy: async () => ({ Component: (await import('./offline/OfflineVideos.tsx')).OfflineVideos }),
      ErrorBoundary: ErrorPage,
      HydrateFallback,
    },
    {
      path: '/',
      Component: Shell,
      ErrorBoundary: ErrorPage,
      HydrateFallback,
      children: [
        {
          // An error affects one page only: navigation and player stay.
          ErrorBoundary: PageError,
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
            { path: 'album/', lazy: async () => ({ Component: (await import('./album/Albums.tsx')).Albums }) },
            { path: 'home/:section/', lazy: async () => ({ Component: (await import('./home/SectionPage.tsx')).SectionPage }) },
            { path: 'shorts/', lazy: async () => ({ Component: (await import('./shorts/ShortsPage.tsx')).ShortsPage }) },
            { path: 'first-run/', lazy: async () => ({ Component: (await import('./first-run/FirstRun.tsx')).FirstRun }) },
            { path: 'list/:listId/', lazy: async () => ({ Component: (await import('./smart-list/ListPage.tsx')).ListPage }) },
            {
              path: 'videos/',
              lazy: async () => ({ Component: (await import('./video/filtered/FilteredVideos.tsx')).FilteredVideos }),
            },
            { path: 'search/', lazy: async () => ({ Component: (await import('./search/SearchPage.tsx')).SearchPage }) },
            { path: 'downloads/', lazy: async () => ({ Component: (await import('./downloads/Downloads.tsx')).Downloads }) },
            {
              path: 'settings/:group?/:page?/',
              lazy: async () => ({ Component: (await import('./settings/Settings.tsx')).SettingsPage }),
            },
            { path: 'notes/:tab?/', lazy: async () => ({ Component: (await import('./note/NotesPage.tsx')).NotesPage }) },
            { path: 'trash/', lazy: async () => ({ Component: (await import('./trash/Trash.tsx')).Trash }) },
            { path: 'about/', lazy: async () => ({ Component: (await import('./settings/About.tsx')).About }) },
            { path: 'share/', lazy: async () => ({ Component: (await import('./shell/ShareTarget.tsx')).ShareTarget }) },
            { path: '*', lazy: async () => ({ Component: (await import('./ui/NotFound.tsx')).NotFound }) },
          ],
        },
      ],
    },
  ],
  { basename: base },
);
