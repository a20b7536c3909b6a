import { Trans, useLingui } from '@lingui/react/macro';
import { IconX } from '@tabler/icons-react';
import type { MediaServer } from '#contract/media-server.ts';
import { messageText } from '#web/i18n/message-text.ts';
import { IconButton } from '#web/ui/Button.tsx';
import { FieldColumns } from '#web/setting-fields/FieldColumns.tsx';
import { Picker } from '../views/ContentChoice.tsx';
import styles from './MediaServers.module.css';

interface Chosen {
  id: string;
  name: string;
}

interface Props {
  server: MediaServer;
  playlists: Chosen[];
  onChange(playlists: Chosen[]): void;
}

/** Chooses the playlists that a server gets. */
export function PlaylistChoice({ server, playlists, onChange }: Props) {
  const { t } = useLingui();
  return (
    <fieldset className={styles.part}>
      <legend>
        <Trans>Playlists</Trans>
      </legend>
      <p className={styles.help}>
        <Trans>
          Chosen playlists are created on the server and kept the same. Other playlists of the server are never changed. A
          playlist belongs to its owner there, else to the first user above.
        </Trans>
      </p>
      {playlists.length > 0 && (
        <ul className={styles.playlists} aria-label={t`Chosen playlists`}>
          {playlists.map(({ id, name }) => {
            const saved = server.playlists.find((one) => one.id === id);
            return (
              <li key={id}>
                <bdi>{name}</bdi>
                <IconButton label={t`Remove ${name}`} onClick={() => onChange(playlists.filter((one) => one.id !== id))}>
                  <IconX aria-hidden />
                </IconButton>
                {saved?.problem && <p className={styles.problemText}>{messageText(saved.problem_messages, saved.problem)}</p>}
              </li>
            );
          })}
        </ul>
      )}
      <FieldColumns>
        <Picker
          type="playlist"
          chosen={null}
          isRequired={false}
          onChange={(id, name) => {
            if (id && !playlists.some((one) => one.id === id)) onChange([...playlists, { id, name }]);
          }}
        />
      </FieldColumns>
    </fieldset>
  );
}
