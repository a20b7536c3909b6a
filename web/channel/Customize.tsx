import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Channel, ChannelOverwrites } from '#contract/channel.ts';
import { call, isErrorAbout } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { spokenLanguages } from '#web/format/spoken-languages.ts';
import { Button } from '#web/ui/Button.tsx';
import { FormatPreset } from '#web/setting-fields/FormatPreset.tsx';
import { AutoSaveField } from '#web/ui/AutoSaveField.tsx';
import { Select, Switch } from '#web/ui/Field.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { useWithConfirmation } from '#web/confirm/ReauthProvider.tsx';
import { useFilterWords } from '#web/video/filters/use-filter-words.ts';
import { WatchedRuleButton } from '#web/video/cleanup/WatchedRuleButton.tsx';
import styles from './Customize.module.css';

type Value = string | number | boolean | null;
interface RowProps {
  label: string;
  help: string;
  value: Value | undefined;
  /** Rejects with the message to show. */
  save(value: Value): Promise<unknown>;
  choose(value: Value): void;
  isBusy: boolean;
}

function ResetButton({ choose, isBusy, label }: Pick<RowProps, 'choose' | 'isBusy' | 'label'>) {
  const { t } = useLingui();
  return (
    <Button size="s" kind="quiet" isBusy={isBusy} aria-label={t`Reset: ${label}`} onClick={() => choose(null)}>
      {t`Reset`}
    </Button>
  );
}

/** Text or number override. An empty field removes the override. */
function TextOverride({
  label,
  help,
  value,
  save,
  isNumber = false,
}: Omit<RowProps, 'choose' | 'isBusy'> & { isNumber?: boolean }) {
  const { t } = useLingui();
  return (
    <AutoSaveField<Value>
      label={label}
      help={help}
      saved={value ?? null}
      format={(one) => (one === null ? '' : String(one))}
      parse={(text) => (text.trim() === '' ? null : isNumber ? Number(text) : text.trim())}
      save={save}
      reset={value === null || value === undefined ? undefined : null}
      type={isNumber ? 'number' : 'text'}
      min={0}
      spellCheck={false}
      placeholder={t`Default`}
    />
  );
}

/** Boolean override: on, off, or unset. */
function SwitchOverride({ label, help, value, choose, isBusy }: RowProps) {
  const { t } = useLingui();
  // The pressed button is replaced by another control, which takes the focus, so it must not be disabled meanwhile.
  const [isPressed, setIsPressed] = useState(false);
  const press = (now: Value) => {
    setIsPressed(true);
    choose(now);
  };
  if (typeof value !== 'boolean')
    return (
      <div className={styles.row}>
        <p className={styles.text}>
          <strong>{label}</strong>
          <span>{help}</span>
        </p>
        <Button
          size="s"
          isBusy={isBusy && !isPressed}
          autoFocus={isPressed}
          aria-label={t`Configure: ${label}`}
          onClick={() => press(false)}
        >
          {t`Configure`}
        </Button>
      </div>
    );
  return (
    <div className={styles.row}>
      <Switch label={label} help={help} isOn={value} disabled={isBusy && !isPressed} autoFocus={isPressed} onChange={choose} />
      <ResetButton label={label} choose={press} isBusy={isBusy} />
    </div>
  );
}

/** Settings of this channel that override the global ones. */
export function Customize({ channel }: { channel: Channel }) {
  const { t, i18n } = useLingui();
  const showToast = useToast();
  const confirming = useWithConfirmation();
  const { channel_id: id, channel_overwrites: overwrites } = channel;
  const label = t`Download format`;
  const help = t`yt-dlp format string, for example bestvideo[height<=1080]+bestaudio.`;
  const change = useMutation({
    scope: { id: `channel ${id}` },
    mutationFn: async (some: Partial<ChannelOverwrites>) => {
      try {
        await confirming((confirm) =>
          call('POST /api/channel/:id/', { params: { id }, body: { channel_overwrites: some }, keepalive: true, ...confirm }),
        );
      } catch (error) {
        if (isErrorAbout(error as Error, 'channel_overwrites.download_format'))
          throw new Error(t`Not a valid yt-dlp format.`, { cause: error });
        throw error;
      } finally {
        await queryClient.invalidateQueries({ queryKey: ['channel'] });
      }
    },
  });
  const row = (key: keyof ChannelOverwrites) => {
    const value = overwrites?.[key];
    const save = (next: Value) => change.mutateAsync({ [key]: next });
    /** Saves a choice; the result is a toast. */
    const choose = (next: Value): void =>
      void save(next).then(
        () => showToast(t`Saved.`, { action: { label: t`Undo`, run: () => choose(value ?? null) } }),
        (error: Error) => showToast(error.message, { isDanger: true }),
      );
    return {
      value,
      save,
      choose,
      // A control stays usable while another one is saved.
      isBusy: change.isPending && key in change.variables,
    };
  };
  const format = row('download_format');
  const upgrades = row('upgrade');
  const streamed = row('live');
  const chats = row('live_chat');
  const copies = row('small_copy');
  const sounds = row('audio_languages');
  const dubs = row('audio_auto_dubs');
  const days = row('autodelete_days');
  const videos = row('subscriptions_channel_size');
  const streams = row('subscriptions_live_channel_size');
  const shorts = row('subscriptions_shorts_channel_size');
  const lists = row('index_playlists');
  const starts = row('subscriptions_auto_start');
  const segments = row('integrate_sponsorblock');
  const branding = row('integrate_dearrow');
  const transcribes = row('transcribe');
  const spoken = row('transcribe_lang');
  const conditions = useFilterWords()({
    ...(overwrites?.autodelete_min_size && { min_size: overwrites.autodelete_min_size }),
    ...(overwrites?.autodelete_available_only && { active: true }),
  }).join(' · ');
  const zero = t`Newest items checked per scan. 0 = none.`;
  return (
    <section className={styles.card} aria-labelledby="customize">
      <h2 id="customize">{t`Customize`}</h2>
      <h3>{t`How far a scan looks back`}</h3>
      <TextOverride label={t`Newest videos to check`} help={zero} isNumber {...videos} />
      <TextOverride label={t`Newest streams to check`} help={zero} isNumber {...streams} />
      <TextOverride label={t`Newest shorts to check`} help={zero} isNumber {...shorts} />
      <SwitchOverride label={t`Index playlists`} help={t`Adds all of the channel’s playlists.`} {...lists} />
      <h3>{t`Downloading and deleting`}</h3>
      <Select
        label={t`New uploads`}
        value={String(starts.value ?? '')}
        choices={[
          { value: '', label: t`Default` },
          { value: 'true', label: t`Download automatically` },
          { value: 'false', label: t`Only list in the queue` },
        ]}
        onChange={({ target }) => starts.choose(target.value === '' ? null : target.value === 'true')}
      />
      <FormatPreset
        label={t`Quality`}
        saved={(format.value as string | null | undefined) ?? null}
        inherited={t`Default`}
        save={format.choose}
      >
        <TextOverride label={label} help={help} {...format} />
      </FormatPreset>
      <Select
        label={t`Replace files by better quality`}
        value={String(upgrades.value ?? '')}
        choices={[
          { value: '', label: t`Default` },
          { value: 'off', label: t`Never` },
          { value: 'ask', label: t`Ask first` },
          { value: 'auto', label: t`Automatic` },
        ]}
        onChange={({ target }) => upgrades.choose(target.value || null)}
      />
      <Select
        label={t`Live streams of YouTube`}
        value={String(streamed.value ?? '')}
        choices={[
          { value: '', label: t`Default` },
          { value: 'wait', label: t`Download when they are over` },
          { value: 'record', label: t`Record` },
        ]}
        onChange={({ target }) => streamed.choose(target.value || null)}
      />
      <SwitchOverride label={t`Chat of streams`} help={t`Stored with the video and shown next to the player.`} {...chats} />
      <Select
        label={t`Height of a compatible copy`}
        value={String(copies.value ?? '')}
        choices={[
          { value: '', label: t`Default` },
          { value: 'off', label: t`Never` },
          ...['360', '480', '720'].map((height) => ({ value: height, label: t`${height}p` })),
        ]}
        onChange={({ target }) => copies.choose(target.value || null)}
      />
      <TextOverride
        label={t`Sound tracks`}
        help={t`Languages besides the original, for example de,en. “original” alone: no others.`}
        {...sounds}
      />
      <SwitchOverride label={t`Automatic dubs`} help={t`Also fetches sound tracks that a program has made.`} {...dubs} />
      <SwitchOverride label={t`SponsorBlock`} help={t`Skips sponsored segments.`} {...segments} />
      <SwitchOverride label={t`DeArrow`} help={t`Titles and thumbnails by viewers.`} {...branding} />
      <TextOverride
        label={t`Delete watched videos after (days)`}
        help={t`0 deletes them as soon as they are watched.`}
        isNumber
        {...days}
        save={(value) =>
          // The conditions belong to the rule. Alone, they would change the rule of the archive for this channel.
          change.mutateAsync({
            autodelete_days: value as number | null,
            ...(value === null && { autodelete_min_size: null, autodelete_available_only: null }),
          })
        }
      />
      <div className={styles.row}>
        <p className={styles.text}>
          <span>{conditions}</span>
        </p>
        <WatchedRuleButton label={t`Conditions and preview…`} channel={id} />
      </div>
      <h3>{t`Transcripts`}</h3>
      <Select
        label={t`Transcribe videos without captions`}
        value={String(transcribes.value ?? '')}
        choices={[
          { value: '', label: t`Default` },
          { value: 'off', label: t`Never` },
          { value: 'request', label: t`On request` },
          { value: 'missing', label: t`All videos` },
        ]}
        onChange={({ target }) => transcribes.choose(target.value || null)}
      />
      <Select
        label={t`Spoken language`}
        value={String(spoken.value ?? '')}
        choices={[{ value: '', label: t`Recognize` }, ...spokenLanguages(i18n.locale)]}
        onChange={({ target }) => spoken.choose(target.value || null)}
      />
    </section>
  );
}
