import { useLingui } from '@lingui/react/macro';
import { encode } from 'uqr';
import styles from './QrCode.module.css';

/** An address as a QR code, dark on light in both themes, because some cameras read no other. */
export function QrCode({ url }: { url: string }) {
  const { t } = useLingui();
  const { data, size } = encode(url, { border: 4 });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return (
    <svg className={styles.qrCode} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={t`QR code of the address`}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}
