import { useQuery } from '@tanstack/react-query';
import type { ComponentType, ReactNode } from 'react';
import { podcastsQuery } from '#web/api/queries/sharing.ts';
import { Cards } from '#web/setting-fields/Card.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';

const applicationPage = (path: string) =>
  lazyComponent(async () => {
    const { ApplicationPage } = await import('./archive/ApplicationPage.tsx');
    return () => <ApplicationPage path={path} />;
  });

/** Renders what follows a list once the list has its length, so that nothing moves. */
function AfterList({ query, children }: { query: { queryKey: readonly unknown[] }; children: ReactNode }) {
  const { isPending } = useQuery({ ...query, enabled: false });
  return isPending ? null : children;
}

/** Content of the settings pages by path. Each is loaded on demand. */
export const pageContent: Record<string, ComponentType<{ fallback?: ReactNode }>> = {
  user: lazyComponent(async () => (await import('./account/Appearance.tsx')).Appearance),
  'user/playback': lazyComponent(async () => (await import('./account/PlaybackSettings.tsx')).PlaybackSettings),
  'user/password': lazyComponent(async () => {
    const [{ Password }, { Sessions }] = await Promise.all([import('./account/Password.tsx'), import('./account/Sessions.tsx')]);
    return () => (
      <Cards>
        <Password />
        <Sessions />
      </Cards>
    );
  }),
  'user/tokens': lazyComponent(async () => {
    const [{ NamedTokens }, { tokensQuery }, { ConnectAssistant }, { ApiToken }] = await Promise.all([
      import('./account/NamedTokens.tsx'),
      import('./account/use-create-token.ts'),
      import('./account/ConnectAssistant.tsx'),
      import('./account/ApiToken.tsx'),
    ]);
    return () => (
      <Cards>
        <NamedTokens />
        <AfterList query={tokensQuery}>
          <ConnectAssistant />
          <ApiToken />
        </AfterList>
      </Cards>
    );
  }),
  'user/sharing': lazyComponent(async () => {
    const [{ PodcastFeeds }, { ShareLinks }, { WatchSharing }] = await Promise.all([
      import('./account/PodcastFeeds.tsx'),
      import('./account/ShareLinks.tsx'),
      import('./account/WatchSharing.tsx'),
    ]);
    return () => (
      <Cards>
        <PodcastFeeds />
        <AfterList query={podcastsQuery}>
          <ShareLinks />
          <WatchSharing />
        </AfterList>
      </Cards>
    );
  }),
  application: applicationPage('application'),
  'application/rules': applicationPage('application/rules'),
  'application/downloads': applicationPage('application/downloads'),
  'application/format': applicationPage('application/format'),
  'application/subtitles': applicationPage('application/subtitles'),
  'application/transcripts': lazyComponent(async () => (await import('./speech/TranscriptsPage.tsx')).TranscriptsPage),
  'application/cookie': applicationPage('application/cookie'),
  'application/integrations': applicationPage('application/integrations'),
  'application/storage': applicationPage('application/storage'),
  'application/views': lazyComponent(async () => (await import('./views/Views.tsx')).Views),
  'application/media-servers': lazyComponent(async () => (await import('./media-servers/MediaServers.tsx')).MediaServers),
  scheduling: lazyComponent(async () => (await import('./tasks/Tasks.tsx')).Tasks),
  'scheduling/history': lazyComponent(async () => (await import('#web/runs/Runs.tsx')).Runs),
  'scheduling/notifications': lazyComponent(async () => (await import('./notifications/NotifyTargets.tsx')).NotifyTargets),
  actions: lazyComponent(async () => (await import('./actions/ImportAction.tsx')).ImportAction),
  'actions/migrate': lazyComponent(async () => (await import('./program-import/ProgramImportPage.tsx')).ProgramImportPage),
  'actions/backup': lazyComponent(async () => {
    const [{ Backups }, { Snapshots }, { BackupHistory }] = await Promise.all([
      import('./backup/Backups.tsx'),
      import('./backup/Snapshots.tsx'),
      import('./backup/BackupHistory.tsx'),
    ]);
    return () => (
      <Cards>
        <Backups />
        <Snapshots />
        <BackupHistory />
      </Cards>
    );
  }),
  'actions/files': lazyComponent(async () => (await import('./actions/FileActions.tsx')).FileActions),
  health: lazyComponent(async () => (await import('./health/Health.tsx')).Health),
  'health/ytdlp': applicationPage('health/ytdlp'),
  'health/users': lazyComponent(async () => (await import('./users/Users.tsx')).Users),
  'health/servers': lazyComponent(async () => (await import('./nodes/Nodes.tsx')).Nodes),
};
