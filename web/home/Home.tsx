import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconArrowDown, IconLayoutList } from '@tabler/icons-react';
import { useState } from 'react';
import { Navigate, useSearchParams } from 'react-router';
import type { Home as HomeData } from '#contract/home.ts';
import { useTitle } from '#web/ui/use-title.ts';
import { Button, IconButton } from '#web/ui/Button.tsx';
import { usePage } from '#web/ui/Pager.tsx';
import { useConfig, useSaveConfig } from '#web/api/account.ts';
import { pathOfList, pathOfSection } from '#web/api/paths.ts';
import { homeQuery } from '#web/api/queries/home.ts';
import { videoList } from '#web/api/queries/video.ts';
import { isNewSince } from '#web/video/list-view/list-props.ts';
import { isHomeFiltered } from '#web/video/list-view/use-listing.ts';
import { VideoListing } from '#web/video/list/VideoListing.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { useLastVisit } from './last-visit.ts';
import { HomeSection } from './HomeSection.tsx';
import { isSectionName, sectionTitles } from './section-titles.ts';
import styles from './Home.module.css';

const EmptyHome = lazyComponent(async () => (await import('./EmptyHome.tsx')).EmptyHome);
const SectionChoice = lazyComponent(async () => (await import('./SectionChoice.tsx')).SectionChoice);

/** Number of videos added since the last visit; links to them. */
function NewSinceLastVisit({ since }: { since: number }) {
  const save = useSaveConfig();
  const { data } = useQuery(videoList({ sort: 'downloaded', order: 'desc' }));
  if (!data) return null;
  const count = data.data.filter((video) => isNewSince(video, since)).length;
  if (count === 0) return null;
  const isMore = count === data.data.length && data.paginate.total_hits > count;
  return (
    <button type="button" className={styles.new} onClick={() => save.mutate({ sort_by: 'downloaded', sort_order: 'desc' })}>
      {isMore ? (
        <Trans>{count}+ new since your last visit</Trans>
      ) : (
        <Plural value={count} one="# new since your last visit" other="# new since your last visit" />
      )}
    </button>
  );
}

/** Button for the dialog that chooses the sections. */
function CustomizeButton() {
  const { t } = useLingui();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <IconButton label={t`Customize home page`} onClick={() => setIsOpen(true)}>
        <IconLayoutList aria-hidden />
      </IconButton>
      {isOpen && <SectionChoice onClose={() => setIsOpen(false)} />}
    </>
  );
}

function Sections({ sections, data, since }: Pick<HomeData, 'sections' | 'data'> & { since: number | undefined }) {
  const { t } = useLingui();
  const videoOf = new Map(data.map((video) => [video.youtube_id, video]));
  return sections.map(({ section, list, videos }) => {
    const common = { id: section.replace(':', '-'), videos: videos.flatMap((id) => videoOf.get(id) ?? []), newSince: since };
    if (list) return <HomeSection key={section} {...common} title={list.name} path={pathOfList(list.id)} isPortrait={false} />;
    if (!isSectionName(section)) return null;
    return (
      <HomeSection
        key={section}
        {...common}
        title={t(sectionTitles[section])}
        path={pathOfSection(section)}
        isPortrait={section === 'shorts'}
      />
    );
  });
}

/** Header above several sections: the list of recent videos is one click away. */
function SectionsHead() {
  return (
    <div className={styles.head}>
      <h1>
        <Trans>Home</Trans>
      </h1>
      <Button
        kind="quiet"
        size="s"
        icon={<IconArrowDown aria-hidden />}
        onClick={() => {
          const heading = document.getElementById('recent');
          heading?.scrollIntoView();
          heading?.focus({ preventScroll: true });
        }}
      >
        <Trans>Recent videos</Trans>
      </Button>
      <CustomizeButton />
    </div>
  );
}

/** Home page: the sections of the user, then the most recent videos. */
export function Home() {
  const { t } = useLingui();
  useTitle(undefined);
  const config = useConfig();
  const [page] = usePage();
  const [search] = useSearchParams();
  // A link to a part of the list shows the list only. Filters that are set here do not, because the page would jump.
  const [opensFiltered] = useState(() => isHomeFiltered(search));
  const since = useLastVisit();
  const {
    data: home,
    isPending,
    failureCount,
  } = useQuery({ ...homeQuery(since, config?.home_sections ?? []), enabled: config !== undefined });
  if (home?.needs_setup) return <Navigate to="/first-run/" replace />;
  if (home?.is_empty) return <EmptyHome />;
  const isTable = config?.view_style_home === 'table';
  const sections =
    page <= 1 && !(opensFiltered && isHomeFiltered(search))
      ? (home?.sections.filter(({ section, videos }) => videos.length > 0 && !(isTable && section === 'continue')) ?? [])
      : [];
  const hasOwnHead = sections.some(({ section }) => section !== 'continue');
  const Title = hasOwnHead ? 'h2' : 'h1';
  // The list does not appear before the sections above it, which would move it.
  return (
    <div className={isPending && failureCount === 0 ? styles.waiting : undefined}>
      {hasOwnHead && <SectionsHead />}
      {home && <Sections sections={sections} data={home.data} since={since} />}
      <section className={styles.section} aria-label={t`Recent videos`}>
        <VideoListing
          listPage="home"
          head={
            <div className={styles.title}>
              <Title id="recent" tabIndex={-1}>
                <Trans>Recent videos</Trans>
              </Title>
              {!hasOwnHead && <CustomizeButton />}
              {since !== undefined && <NewSinceLastVisit since={since} />}
            </div>
          }
          empty={null}
          newSince={since}
        />
      </section>
    </div>
  );
}
