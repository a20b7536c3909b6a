import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { IconNotes, IconPlayerPlay, IconTags } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { Note } from '#contract/note.ts';
import { call, callAddress } from '#web/api/call.ts';
import { fetchAllPages } from '#web/api/fetch-all-pages.ts';
import { pathOfVideo } from '#web/api/paths.ts';
import { notesQuery } from '#web/api/queries/note.ts';
import { tagsQuery } from '#web/api/queries/tag.ts';
import { isSameTag } from '#web/tag/tag-name.ts';
import { useNoteSequence } from '#web/player/state/note-sequence.ts';
import { Button, buttonClass } from '#web/ui/Button.tsx';
import { EmptyState } from '#web/ui/Callout.tsx';
import { Select } from '#web/ui/Field.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { Pager, useExistingPage, usePage } from '#web/ui/Pager.tsx';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { SearchInput } from '#web/ui/SearchInput.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { useQueryParams } from '#web/ui/use-search-params.ts';
import { useTitle } from '#web/ui/use-title.ts';
import { NoteEntry } from './NoteEntry.tsx';
import { NotesTabs } from './NotesTabs.tsx';
import styles from './Notes.module.css';

const ManageTags = lazyComponent(async () => (await import('#web/tag/ManageTags.tsx')).ManageTags);

const isKind = (text: string | null): text is Note['kind'] => text === 'note' || text === 'bookmark' || text === 'highlight';

/** The video of a note; one that was deleted is named, with its address at the site. */
function VideoOfNote({ note }: { note: Note }) {
  const { video, video_title: title, channel_name: channel, url, is_archived: isArchived } = note;
  return (
    <p className={styles.video}>
      {isArchived ? (
        <Link to={pathOfVideo({ youtube_id: video })}>
          <bdi>{title}</bdi>
        </Link>
      ) : (
        <strong>
          <bdi>{title}</bdi>
        </strong>
      )}
      <bdi>{channel}</bdi>
      {!isArchived && (
        <span>
          <Trans>Deleted from the archive</Trans>
        </span>
      )}
      {!isArchived && url && (
        <a href={url} target="_blank" rel="noopener noreferrer">
          <Trans>Original address</Trans>
        </a>
      )}
    </p>
  );
}

/** Plays the notes that match the filter, in the player above the list. */
function PlayInARow({ filter }: { filter: { query: string; kind: Note['kind'] | undefined; tag: string | undefined } }) {
  const { t } = useLingui();
  const showToast = useToast();
  const [, put] = useQueryParams();
  const play = useMutation({
    mutationFn: async () => {
      const notes = await fetchAllPages((page) => call('GET /api/note/', { query: { ...filter, page } }));
      const { playNotes } = await import('#web/player/queue/play-notes.ts');
      return playNotes(notes);
    },
    onSuccess: (first) => {
      if (first) put({ videoId: first.video, t: null, end: null });
      else showToast(t`None of these notes has a time in a video of the archive.`);
    },
    onError: (error) => showToast(error.message, { isDanger: true }),
  });
  return (
    <Button icon={<IconPlayerPlay aria-hidden />} isBusy={play.isPending} onClick={() => play.mutate()}>
      <Trans>Play in a row</Trans>
    </Button>
  );
}

/** All notes of the user. */
export function AllNotes() {
  const { t } = useLingui();
  useTitle(t`Notes`);
  const navigate = useNavigate();
  const [search, put] = useQueryParams();
  const [page, setPage] = usePage();
  const text = search.get('query') ?? '';
  const asked = search.get('kind');
  const kind = isKind(asked) ? asked : undefined;
  const tag = search.get('tag') ?? undefined;
  const query = useQuery(notesQuery({ page, query: text, kind, tag }));
  const { data: tags = [] } = useQuery(tagsQuery);
  const [isManaging, setIsManaging] = useState(false);
  const tagged = tags.filter(({ notes }) => notes > 0).map(({ name }) => name);
  const chosenTag = tag && (tagged.find((name) => isSameTag(name, tag)) ?? tag);
  const tagChoices = chosenTag && !tagged.includes(chosenTag) ? [...tagged, chosenTag] : tagged;
  const isFiltered = Boolean(text || kind || tag);
  useExistingPage(query);
  const played = useNoteSequence(({ items, at }) => items[at]?.note);
  const pathOf = ({ video, start }: Note, at = start) =>
    `${pathOfVideo({ youtube_id: video })}?side=notes${at === null ? '' : `&t=${Math.floor(at)}`}`;
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <h1>{t`Notes`}</h1>
        <div className={styles.buttons}>
          {tags.length > 0 && (
            <Button icon={<IconTags aria-hidden />} onClick={() => setIsManaging(true)}>
              <Trans>Manage tags</Trans>
            </Button>
          )}
          {(query.data?.paginate.total_hits ?? 0) > 0 && <PlayInARow filter={{ query: text, kind, tag }} />}
          <a className={buttonClass()} href={callAddress('/api/note/export/')} download>
            <Trans>Export as Markdown</Trans>
          </a>
        </div>
      </div>
      <NotesTabs />
      <div className={styles.filters}>
        <SearchInput
          label={t`Search notes`}
          value={text}
          onChange={(words) => put({ query: words, page: null }, { replace: true, preventScrollReset: true })}
        />
        <Select
          label={t`Type`}
          isLabelHidden
          value={kind ?? ''}
          choices={[
            { value: '', label: t`All` },
            { value: 'note', label: t`Notes` },
            { value: 'bookmark', label: t`Bookmarks` },
            { value: 'highlight', label: t`Highlights` },
          ]}
          onChange={(event) => put({ kind: event.target.value, page: null })}
        />
        {tagChoices.length > 0 && (
          <Select
            label={t`Tag`}
            isLabelHidden
            value={chosenTag ?? ''}
            choices={[{ value: '', label: t`All tags` }, ...tagChoices.map((name) => ({ value: name, label: name }))]}
            onChange={(event) => put({ tag: event.target.value, page: null })}
          />
        )}
      </div>
      <QueryBoundary query={query} skeleton={300}>
        {({ data, paginate }) =>
          paginate.total_hits === 0 ? (
            <EmptyState icon={<IconNotes />} title={isFiltered ? t`Nothing found` : t`No notes yet`}>
              {!isFiltered && <Trans>Press N while watching to write one, or B to set a bookmark.</Trans>}
            </EmptyState>
          ) : (
            <>
              <ul>
                {data.map((note) => (
                  <NoteEntry
                    key={note.id}
                    note={note}
                    isPlaying={note.id === played}
                    heading={<VideoOfNote note={note} />}
                    onSeek={(seconds) => void navigate(pathOf(note, seconds))}
                    time={(range) =>
                      note.is_archived ? (
                        <Link to={pathOf(note)} className={styles.time}>
                          {range}
                        </Link>
                      ) : (
                        <span>{range}</span>
                      )
                    }
                  />
                ))}
              </ul>
              <Pager page={page} total={paginate.total_hits} size={paginate.page_size} onChange={setPage} />
            </>
          )
        }
      </QueryBoundary>
      {isManaging && <ManageTags onClose={() => setIsManaging(false)} />}
    </div>
  );
}
