import { useQuery } from '@tanstack/react-query';
import { lazy, type ComponentType, type ReactNode } from 'react';
import { podcastsQuery } from '#web/api/queries/sharing.ts';
import { Cards } from '#web/setting-fields/Card.tsx';

const applicationPage = (path: string) =>
  lazy(async () => {
    const { ApplicationPage } = await import('./archive/ApplicationPage.tsx');
    return { default: () => <ApplicationPage path={path} /> };
  });

/** Renders what follows a list once the list has its length, so that nothing moves. */
function AfterList({ query, children }: { query: { queryKey: readonly unknown[] }; children: ReactNode }) {
  const { isPending } = useQuery({ ...query, enabled: false });
  return isPending ? null : children;
}

/** Content of the settings pages by path. Each is loaded on demand. */
export const pageContent: Record<string, ComponentType> = {
  user: lazy(async () => ({ default: (await import('./account/Appearance.tsx')).Appearance })),
  'user/playback': lazy(async () => ({ default: (await import('./account/PlaybackSettings.tsx')).PlaybackSettings })),
  'user/password': lazy(async () => {
    const [{ Password }, { Sessions }] = await Promise.all([import('./account/Password.tsx'), import('./account/Sessions.tsx')]);
    return {
      default: () => (
        <Cards>
          <Password />
          <Sessions />
        </Cards>
      ),
    };
  }),
  'user/tokens': lazy(async () => {
    const [{ NamedTokens, tokensQuery }, { ApiToken }] = await Promise.all([
      import('./account/NamedTokens.tsx'),
      import('./account/ApiToken.tsx'),
    ]);
    return {
      default: () => (
        <Cards>
          <NamedTokens />
          <AfterList query={tokensQuery}>
            <ApiToken />
          </AfterList>
        </Cards>
      ),
    };
  }),
  'user/sharing': lazy(async () => {
    const [{ PodcastFeeds }, { ShareLinks }, { WatchSharing }] = await Promise.all([
      import('./account/PodcastFeeds.tsx'),
      import('./account/ShareLinks.tsx'),
      import('./account/WatchSharing.tsx'),
    ]);
    return {
      default: () => (
        <Cards>
          <PodcastFeeds />
          <AfterList query={podcastsQuery}>
            <ShareLinks />
            <WatchSharing />
          </AfterList>
        </Cards>
      ),
    };
  }),
  application: applicationPage('application'),
  'application/rules': applicationPage('application/rules'),
  'application/downloads': applicationPage('application/downloads'),
  'application/format': applicationPage('application/format'),
  'application/subtitles': applicationPage('application/subtitles'),
  'application/cookie': applicationPage('application/cookie'),
  'application/integrations': applicationPage('application/integrations'),
  'application/storage': applicationPage('application/storage'),
  'application/views': lazy(async () => ({ default: (await import('./views/Views.tsx')).Views })),
  'application/media-servers': lazy(async () => ({
    default: (await import('./media-servers/MediaServers.tsx')).MediaServers,
  })),
  scheduling: lazy(async () => ({ default: (await import('./tasks/Tasks.tsx')).Tasks })),
  'scheduling/history': lazy(async () => ({ default: (await import('#web/runs/Runs.tsx')).Runs })),
  'scheduling/notifications': lazy(async () => ({ default: (await import('./notifications/NotifyTargets.tsx')).NotifyTargets })),
  actions: lazy(async () => ({ default: (await import('./actions/ImportAction.tsx')).ImportAction })),
  'actions/migrate': lazy(async () => ({ default: (await import('./program-import/ProgramImportPage.tsx')).ProgramImportPage })),
  'actions/backup': lazy(async () => {
    const [{ Backups }, { Snapshots }, { BackupHistory }] = await Promise.all([
      import('./backup/Backups.tsx'),
      import('./backup/Snapshots.tsx'),
      import('./backup/BackupHistory.tsx'),
    ]);
    return {
      default: () => (
        <Cards>
          <Backups />
          <Snapshots />
          <BackupHistory />
        </Cards>
      ),
    };
  }),
  'actions/files': lazy(async () => ({ default: (await import('./actions/FileActions.tsx')).FileActions })),
  health: lazy(async () => ({ default: (await import('./health/Health.tsx')).Health })),
  'health/ytdlp': applicationPage('health/ytdlp'),
  'health/users': lazy(async () => ({ default: (await import('./users/Users.tsx')).Users })),
  'health/servers': lazy(async () => ({ default: (await import('./nodes/Nodes.tsx')).Nodes })),
};
