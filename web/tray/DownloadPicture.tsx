import { IconMovie } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { addressOf } from '#web/api/call.ts';
import { queueItemQuery } from '#web/api/queries/download.ts';
import styles from './Tray.module.css';

/** Thumbnail of a queue item. */
export function DownloadPicture({ id }: { id: string }) {
  const url = useQuery(queueItemQuery(id)).data?.vid_thumb_url;
  return <span className={styles.picture}>{url ? <img src={addressOf(url)} alt="" /> : <IconMovie aria-hidden />}</span>;
}
