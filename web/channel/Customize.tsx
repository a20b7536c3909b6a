import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Channel, ChannelOverwrites } from '#contract/channel.ts';
import { call, isErrorAbout } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { Button } from '#web/ui/Button.tsx';
import { FormatPreset } from '#web/settings/fields/FormatPreset.tsx';
import { Field, Select, Switch } from '#web/ui/Field.tsx';
import { useDraft } from '#web/ui/use-draft.ts';
import { useToast } from '#web/ui/toasts.tsx';
import { useWithConfirmation } from '#web/user/confirm/ReauthProvider.tsx';
import { useFilterWords } from '#web/video/filters/use-filter-words.ts';
import { WatchedRuleButton } from '#web/video/cleanup/WatchedRuleButton.tsx';
import styles from './Customize.module.css';

type Value = string | number | boolean | null;
interface RowProps {
  label: string;
  help: string;
  value: Value | undefined;
  save(value: Value): void;
  isBusy: boolean;
}

function ResetButton({ save, isBusy, label }: Pick<RowProps, 'save' | 'isBusy' | 'label'>) {
  const { t } = useLingui();
  return (
    <Button size="s" kind="quiet" isBusy={isBusy} aria-label={t`Reset: ${label}`} onClick={() => save(null)}>
      {t`Reset`}
    </Button>
  );
}

/** Text or number override. An empty field removes the override. */
function TextOverride({ label, help, value, save, isBusy, isNumber = false }: RowProps & { isNumber?: boolean }) {
  const { t } = useLingui();
  const saved = value === undefined || value === null ? '' : String(value);
  const { text, setDraft } = useDraft(saved);
  const trimmed = text.trim();
  const parsed = isNumber ? Number(trimmed) : trimmed;
  return (
    <form
      className={styles.row}
      onSubmit={(event) => {
        event.preventDefault();
        if (trimmed !== saved) save(trimmed === '' ? null : parsed);
      }}
    >
      <Field
        label={label}
        help={help}
        value={text}
        type={isNumber ? 'number' : 'text'}
        min={0}
        spellCheck={false}
        placeholder={t`Default`}
        onChange={(event) => setDraft(event.target.value)}
      />
      <span className={styles.buttons}>
        {trimmed !== saved && (
          <Button type="submit" size="s" kind="primary" isBusy={isBusy} aria-label={t`Update: ${label}`}>
            {t`Update`}
          </Button>
        )}
        {saved !== '' && (
          <ResetButton
            label={label}
            isBusy={isBusy}
            save={() => {
              setDraft(null);
              save(null);
            }}
          />
        )}
      </span>
    </form>
  );
}

/** Boolean override: on, off, or unset. */
function SwitchOverride({ label, help, value, save, isBusy }: RowProps) {
  const { t } = useLingui();
  // The pressed button is replaced by another control, which takes the focus, so it must not be disabled meanwhile.
  const [isPressed, setIsPressed] = useState(false);
  const press = (now: Value) => {
    setIsPressed(true);
    save(now);
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
      <Switch label={label} help={help} isOn={value} disabled={isBusy && !isPressed} autoFocus={isPressed} onChange={save} />
      <ResetButton label={label} save={press} isBusy={isBusy} />
    </div>
  );
}

/** Settings of this channel that override the global ones. */
export function Customize({ channel }: { channel: Channel }) {
  const { t } = useLingui();
  const showToast = useToast();
  const confirming = useWithConfirmation();
  const { channel_id: id, channel_overwrites: overwrites } = channel;
  const label = t`Download format`;
  const help = t`yt-dlp format string, for example bestvideo[height<=1080]+bestaudio.`;
  const change = useMutation({
    mutationFn: (some: Partial<ChannelOverwrites>) =>
      confirming((confirm) => call('POST /api/channel/:id/', { params: { id }, body: { channel_overwrites: some }, ...confirm })),
    onSuccess: () => showToast(t`Saved.`),
    onError: (error) => {
      const isFormat = isErrorAbout(error, 'channel_overwrites.download_format');
      showToast(isFormat ? t`Not a valid yt-dlp format.` : error.message, { isDanger: true });
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['channel'] }),
  });
  const row = (key: keyof ChannelOverwrites) => ({
    value: overwrites?.[key],
    // A field stays usable while another one is saved: a form with a disabled button ignores Enter.
    isBusy: change.isPending && key in change.variables,
    save: (value: Value) => change.mutate({ [key]: value }),
  });
  const format = row('download_format');
  const days = row('autodelete_days');
  const videos = row('subscriptions_channel_size');
  const streams = row('subscriptions_live_channel_size');
  const shorts = row('subscriptions_shorts_channel_size');
  const lists = row('index_playlists');
  const starts = row('subscriptions_auto_start');
  const segments = row('integrate_sponsorblock');
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
        onChange={({ target }) => starts.save(target.value === '' ? null : target.value === 'true')}
      />
      <FormatPreset
        label={t`Quality`}
        saved={(format.value as string | null | undefined) ?? null}
        inherited={t`Default`}
        save={format.save}
      >
        <TextOverride label={label} help={help} {...format} />
      </FormatPreset>
      <SwitchOverride label={t`SponsorBlock`} help={t`Skips sponsored segments.`} {...segments} />
      <TextOverride
        label={t`Delete watched videos after (days)`}
        help={t`0 deletes them as soon as they are watched.`}
        isNumber
        {...days}
        save={(value) =>
          // The conditions belong to the rule. Alone, they would change the rule of the archive for this channel.
          change.mutate({
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
    </section>
  );
}
