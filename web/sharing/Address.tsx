import { Trans, useLingui } from '@lingui/react/macro';
import { IconQrcode } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { Button } from '#web/ui/Button.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import { CopyText } from '#web/ui/CopyText.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { isLoopback } from './is-loopback.ts';

const QrCode = lazyComponent(async () => (await import('./QrCode.tsx')).QrCode);

/** A secret address with buttons that copy it and show it to the camera of a phone. */
export function Address({ url, copyLabel, isOpen = false }: { url: string; copyLabel: string; isOpen?: boolean }) {
  const { t } = useLingui();
  const [isShown, setIsShown] = useState(isOpen && !isLoopback(url));
  const { host } = new URL(url);
  return (
    <>
      <CopyText text={url} label={copyLabel}>
        {!isLoopback(url) && (
          <Button size="s" icon={<IconQrcode aria-hidden />} aria-expanded={isShown} onClick={() => setIsShown(!isShown)}>
            {t`QR code`}
          </Button>
        )}
      </CopyText>
      {isShown && <QrCode url={url} fallback={<Skeleton height={220} />} />}
      {isLoopback(url) && (
        <Callout>
          <Trans>
            Only this computer can reach {host}. For other devices, open Reelkeep by its address in your network, or let an
            administrator set the{' '}
            <Link to="/settings/application/integrations/#application.address">address of this archive</Link>.
          </Trans>
        </Callout>
      )}
    </>
  );
}
