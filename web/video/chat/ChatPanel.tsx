import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconDownload, IconMinus, IconPlus, IconSettings } from '@tabler/icons-react';
import { useState } from 'react';
import type { Video } from '#contract/video.ts';
import { useIsStaff } from '#web/api/account.ts';
import { callAddress } from '#web/api/call.ts';
import { decimalText } from '#web/format/numbers.ts';
import { seekTo } from '#web/player/state/player-store.ts';
import { Button, IconButton } from '#web/ui/Button.tsx';
import { Menu, MenuCheck, MenuItem } from '#web/ui/Menu.tsx';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { SearchInput } from '#web/ui/SearchInput.tsx';
import { useLocalStorage } from '#web/ui/use-local-storage.ts';
import { ChatMatches } from './ChatMatches.tsx';
import { ChatReplay } from './ChatReplay.tsx';
import { chatQuery } from './chat-queries.ts';
import { useFetchChat } from './use-fetch-chat.ts';
import styles from './Chat.module.css';

function NoChat({ id }: { id: string }) {
  const isStaff = useIsStaff();
  const fetchChat = useFetchChat(id);
  return (
    <div className={styles.missing}>
      <p>
        <Trans>This stream’s chat was not recorded.</Trans>
      </p>
      {isStaff && (
        <Button isBusy={fetchChat.isPending} onClick={() => fetchChat.mutate()}>
          <Trans>Fetch the chat</Trans>
        </Button>
      )}
    </div>
  );
}

const stepMs = 500;

/** How much earlier or later the chat is shown than it was written. */
function Offset({ offsetMs, onChange }: { offsetMs: number; onChange(offsetMs: number): void }) {
  const { t } = useLingui();
  const seconds = decimalText(offsetMs / 1000, 1);
  return (
    <div className={styles.offset} role="group" aria-label={t`Offset of the chat`}>
      <IconButton label={t`Show messages later`} onClick={() => onChange(offsetMs - stepMs)}>
        <IconMinus aria-hidden />
      </IconButton>
      <button type="button" className="number" title={t`Reset offset`} onClick={() => onChange(0)}>
        <Trans>Offset {seconds} s</Trans>
      </button>
      <IconButton label={t`Show messages earlier`} onClick={() => onChange(offsetMs + stepMs)}>
        <IconPlus aria-hidden />
      </IconButton>
    </div>
  );
}

/** The chat of a stream next to its player. */
export function ChatPanel({ video }: { video: Video }) {
  const { t } = useLingui();
  const { youtube_id: id } = video;
  const query = useQuery({ ...chatQuery(id), enabled: video.chat !== undefined });
  const [words, setWords] = useState('');
  const [offsetMs, setOffsetMs] = useState(0);
  const [namesHidden, setNamesHidden] = useLocalStorage('chat-names-hidden');
  const hasNames = namesHidden === null;
  if (!video.chat) return <NoChat id={id} />;
  const onSeek = (ms: number) => seekTo(Math.max(0, (ms - offsetMs) / 1000));
  const save = (format: 'jsonl' | 'vtt') => location.assign(callAddress('/api/video/:id/chat/export/', { id }, { format }));
  return (
    <section className={styles.chat} aria-label={t`Chat`}>
      <div className={styles.head}>
        <SearchInput label={t`Search this chat`} value={words} onChange={setWords} className={styles.search} />
        <Menu
          trigger={
            <IconButton label={t`Options of the chat`}>
              <IconSettings aria-hidden />
            </IconButton>
          }
        >
          <MenuCheck isOn={!hasNames} onChange={(isOn) => setNamesHidden(isOn ? 'true' : null)}>
            {t`Hide names`}
          </MenuCheck>
          <MenuItem icon={<IconDownload aria-hidden />} onSelect={() => save('vtt')}>
            <Trans>Save as captions (.vtt)</Trans>
          </MenuItem>
          <MenuItem icon={<IconDownload aria-hidden />} onSelect={() => save('jsonl')}>
            <Trans>Save as JSON lines (.jsonl)</Trans>
          </MenuItem>
        </Menu>
      </div>
      <QueryBoundary query={query} skeleton={420}>
        {(chat) => (
          <>
            {!chat.is_complete && (
              <p className={styles.muted}>
                <Trans>A part of this chat is missing.</Trans>
              </p>
            )}
            {words.trim() === '' ? (
              <>
                <ChatReplay id={id} chat={chat} offsetMs={offsetMs} hasNames={hasNames} onSeek={onSeek} />
                <Offset offsetMs={offsetMs} onChange={setOffsetMs} />
              </>
            ) : (
              <ChatMatches id={id} query={words.trim()} hasNames={hasNames} onSeek={onSeek} />
            )}
          </>
        )}
      </QueryBoundary>
    </section>
  );
}
