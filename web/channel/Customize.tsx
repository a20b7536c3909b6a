import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Channel, ChannelOverwrites } from '#contract/channel.ts';
import { call, isAbout } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { Button } from '#web/ui/Button.tsx';
import { Field, Switch } from '#web/ui/Field.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { useConfirming } from '#web/user/Confirming.tsx';
import styles from './Customize.module.css';

type Value = string | number | boolean | null;
interface RowProps {
  label: string;
  help: string;
  value: Value | undefined;
  save(value: Value): void;
  isBusy: boolean;
}

function Reset({ save, isBusy, label }: Pick<RowProps, 'save' | 'isBusy' | 'label'>) {
  const { t } = useLingui();
  return (
    <Button size="s" kind="quiet" isBusy={isBusy} aria-label={t`Reset: ${label}`} onClick={() => save(null)}>
      {t`Reset`}
    </Button>
  );
}

/** A number or a text; nothing typed in is nothing chosen. */
function Typed({ label, help, value, save, isBusy, isNumber = false }: RowProps & { isNumber?: boolean }) {
  const { t } = useLingui();
  const saved = value === undefined || value === null ? '' : String(value);
  const [text, setText] = useState(saved);
  const [known, setKnown] = useState(saved);
  if (known !== saved) {
    setKnown(saved);
    setText(saved);
  }
  const said = text.trim();
  const whole = isNumber ? Number(said) : said;
  return (
    <form
      className={styles.row}
      onSubmit={(event) => {
        event.preventDefault();
        if (said !== saved) save(said === '' ? null : whole);
      }}
    >
      <Field
        label={label}
        help={help}
        value={text}
        type={isNumber ? 'number' : 'text'}
        min={0}
        spellCheck={false}
        placeholder={t`As in the settings`}
        onChange={(event) => setText(event.target.value)}
      />
      <span className={styles.buttons}>
        {said !== saved && (
          <Button type="submit" size="s" kind="primary" isBusy={isBusy} aria-label={t`Update: ${label}`}>
            {t`Update`}
          </Button>
        )}
        {saved !== '' && (
          <Reset
            label={label}
            isBusy={isBusy}
            save={() => {
              setText('');
              save(null);
            }}
          />
        )}
      </span>
    </form>
  );
}

/** On, off, or as in the settings. */
function OnOff({ label, help, value, save, isBusy }: RowProps) {
  const { t } = useLingui();
  // What was pressed gives its place to something else, which then has the focus; so it may not be disabled meanwhile.
  const [isPressed, setIsPressed] = useState(false);
  const press = (now: Value) => {
    setIsPressed(true);
    save(now);
  };
  if (typeof value !== 'boolean')
    return (
      <div className={styles.row}>
        <p className={styles.words}>
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
      <Reset label={label} save={press} isBusy={isBusy} />
    </div>
  );
}

/** What holds for this channel alone, before the settings of the archive. */
export function Customize({ channel }: { channel: Channel }) {
  const { t } = useLingui();
  const say = useToast();
  const confirming = useConfirming();
  const { channel_id: id, channel_overwrites: overwrites } = channel;
  const label = t`Download format`;
  const help = t`As yt-dlp understands it, such as bestvideo[height<=1080]+bestaudio.`;
  const change = useMutation({
    mutationFn: (some: Partial<ChannelOverwrites>) =>
      confirming((confirm) => call('POST /api/channel/:id/', { params: { id }, body: { channel_overwrites: some }, ...confirm })),
    onSuccess: () => say(t`Saved.`),
    onError: (error) => {
      const isFormat = isAbout(error, 'channel_overwrites.download_format');
      say(isFormat ? `${t`${label}: not understood.`} ${help}` : error.message, { isDanger: true });
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['channel'] }),
  });
  const row = (key: keyof ChannelOverwrites) => ({
    value: overwrites?.[key],
    isBusy: change.isPending,
    save: (value: Value) => change.mutate({ [key]: value }),
  });
  const format = row('download_format');
  const days = row('autodelete_days');
  const videos = row('subscriptions_channel_size');
  const streams = row('subscriptions_live_channel_size');
  const shorts = row('subscriptions_shorts_channel_size');
  const lists = row('index_playlists');
  const segments = row('integrate_sponsorblock');
  const zero = t`Newest to look at in a scan; 0 leaves them out.`;
  return (
    <section className={styles.card} aria-labelledby="customize">
      <h2 id="customize">{t`Customize`}</h2>
      <h3>{t`What a scan looks at`}</h3>
      <Typed label={t`Videos to look at`} help={zero} isNumber {...videos} />
      <Typed label={t`Streams to look at`} help={zero} isNumber {...streams} />
      <Typed label={t`Shorts to look at`} help={zero} isNumber {...shorts} />
      <OnOff label={t`Index playlists`} help={t`Brings in all playlists of the channel.`} {...lists} />
      <h3>{t`How it comes and goes`}</h3>
      <Typed label={label} help={help} {...format} />
      <OnOff label={t`SponsorBlock`} help={t`Skips what sponsors paid for.`} {...segments} />
      <Typed
        label={t`Delete watched videos after (days)`}
        help={t`0 deletes them as soon as they are watched.`}
        isNumber
        {...days}
      />
    </section>
  );
}
