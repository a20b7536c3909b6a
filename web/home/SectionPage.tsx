import { useLingui } from '@lingui/react/macro';
import { IconMovie } from '@tabler/icons-react';
import { useParams } from 'react-router';
import type { HomeSectionName } from '#contract/home.ts';
import type { Filter } from '#web/api/queries/video-filter.ts';
import { EmptyState } from '#web/ui/Callout.tsx';
import { NotFound } from '#web/ui/NotFound.tsx';
import { useTitle } from '#web/ui/use-title.ts';
import { VideoListing } from '#web/video/list/VideoListing.tsx';
import { useLastVisit } from './last-visit.ts';
import { isSectionName, sectionTitles } from './section-titles.ts';

// Videos in progress are sorted by the time they were watched last.
const scopes: Record<HomeSectionName, Filter> = {
  continue: { watch: 'continue' },
  subscriptions: { subscribed: true, sort: 'downloaded' },
  shorts: { type: 'shorts', sort: 'published' },
  unavailable: { active: false, sort: 'published' },
};

function FullList({ section }: { section: HomeSectionName }) {
  const { t } = useLingui();
  const since = useLastVisit();
  // The full list also has the videos that are not new.
  const title = section === 'subscriptions' ? t`From your subscriptions` : t(sectionTitles[section]);
  useTitle(title);
  return (
    <VideoListing
      listPage="section"
      scope={scopes[section]}
      newSince={since}
      head={<h1>{title}</h1>}
      empty={<EmptyState icon={<IconMovie />} title={t`No videos`} />}
    />
  );
}

/** The full list of one section of the home page. */
export function SectionPage() {
  const { section = '' } = useParams();
  return isSectionName(section) ? <FullList key={section} section={section} /> : <NotFound />;
}
