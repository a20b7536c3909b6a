import type { MomentsReply } from '#web/api/queries/search.ts';
import { messageText } from '#web/i18n/message-text.ts';
import { TextWithLinks } from '#web/settings-pages/TextWithLinks.tsx';
import styles from './SearchPage.module.css';

/** Says which texts were left out of the search. */
export const Notices = ({ of: { notices, notice_texts: texts } }: { of: Pick<MomentsReply, 'notices' | 'notice_texts'> }) =>
  notices.map((notice, place) => (
    <p key={notice.id} className={styles.notice}>
      <TextWithLinks text={messageText([notice], texts[place] ?? '')} />
    </p>
  ));
