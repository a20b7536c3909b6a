import { useLingui } from '@lingui/react/macro';
import { IconBell, IconDownload, IconPlayerPlay, IconPlus } from '@tabler/icons-react';
import { useConfig } from '#web/api/account.ts';
import type { ResolvedItem } from '#web/api/queries/resolve.ts';
import { exactText, sizeText } from '#web/format/numbers.ts';
import { Button } from '#web/ui/Button.tsx';
import type { Plan } from './plan-actions.ts';
import { useCountText } from './PreviewItem.tsx';
import type { Action } from './use-add-actions.ts';

function useLabels() {
  const { t } = useLingui();
  const unit = useConfig()?.file_size_unit;
  const countText = useCountText();
  const isOneOf = (items: ResolvedItem[]) => items.length === 1;
  const downloadAll = (item: ResolvedItem): string => {
    const [videos, bytes] = [countText(item), item.estimated_bytes];
    if (videos === null || item.lookup === 'running') return t`Download everything`;
    return bytes === null ? t`Download ${videos}` : t`Download ${videos}, about ${sizeText(bytes, unit)}`;
  };
  return {
    download: ({ downloads, isWholeText }: Plan, total: number): string => {
      if (isWholeText) return t`Download ${exactText(total)}`;
      if (!isOneOf(downloads)) return t`Download ${exactText(downloads.length)}`;
      return downloads[0]!.what === 'channel' ? downloadAll(downloads[0]!) : t`Download`;
    },
    subscribe: ({ subscriptions, isWholeText }: Plan): string =>
      isWholeText || isOneOf(subscriptions) ? t`Subscribe` : t`Subscribe to ${exactText(subscriptions.length)}`,
  };
}

/** The actions of a plan, the main one last. Until there is a plan, a button that waits for it. */
export function Actions({
  plan,
  total,
  isBusy,
  primaryRef,
  onAction,
}: {
  plan: Plan | null;
  total: number;
  isBusy: boolean;
  primaryRef: ((element: HTMLElement | null) => void) | undefined;
  onAction(action: Action): void;
}) {
  const { t } = useLingui();
  const labels = useLabels();
  const { primary, downloads, subscriptions } = plan ?? { primary: null, downloads: [], subscriptions: [] };
  const texts = {
    open: { label: t`Open`, icon: <IconPlayerPlay aria-hidden /> },
    subscribe: { label: plan && labels.subscribe(plan), icon: <IconBell aria-hidden /> },
    download: { label: plan && labels.download(plan, total), icon: <IconDownload aria-hidden /> },
    // Until it is known what the links are. The action waits for that.
    unknown: { label: t`Add`, icon: <IconPlus aria-hidden /> },
  };
  const main = texts[primary ?? 'unknown'];
  return (
    <>
      {primary === 'download' && (
        <Button disabled={isBusy} icon={<IconPlus aria-hidden />} onClick={() => onAction('queue')}>
          {t`Add to queue`}
        </Button>
      )}
      {primary !== 'download' && downloads.length > 0 && (
        <Button disabled={isBusy} icon={texts.download.icon} onClick={() => onAction('download')}>
          {texts.download.label}
        </Button>
      )}
      {primary !== 'subscribe' && subscriptions.length > 0 && (
        <Button disabled={isBusy} icon={texts.subscribe.icon} onClick={() => onAction('subscribe')}>
          {texts.subscribe.label}
        </Button>
      )}
      <Button
        ref={primaryRef}
        type="submit"
        kind="primary"
        icon={main.icon}
        isBusy={isBusy}
        disabled={plan !== null && primary === null}
      >
        {main.label}
      </Button>
    </>
  );
}
