import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { IconArrowDown, IconArrowUp, IconColumns3 } from '@tabler/icons-react';
import { useRef } from 'react';
import { Link } from 'react-router';
import { community } from '#web/community/community.ts';
import { useConfig } from '#web/api/account.ts';
import { IconButton } from '#web/ui/Button.tsx';
import { Menu, MenuCheck } from '#web/ui/Menu.tsx';
import { MoreButton, WatchedButton } from './CardActions.tsx';
import { pathOfVideo } from '#web/api/paths.ts';
import { cardSelectionFor, isNewSince, type ListProps } from '../list-view/list-props.ts';
import { useWidth } from '../list-view/columns.ts';
import { useTableColumns } from './table-columns.tsx';
import styles from './VideoTable.module.css';

interface HeadProps {
  name: MessageDescriptor;
  by?: string;
  isNumber?: true;
  width?: number;
  sorting: ListProps['sorting'];
}

function Head({ name, by, isNumber, width, sorting }: HeadProps) {
  const { t } = useLingui();
  const className = isNumber ? styles.right : '';
  if (!by || !sorting)
    return (
      <th scope="col" className={className} style={{ width }}>
        {t(name)}
      </th>
    );
  const isBy = sorting.by === by;
  const Arrow = sorting.order === 'asc' ? IconArrowUp : IconArrowDown;
  const direction = sorting.order === 'asc' ? 'ascending' : 'descending';
  return (
    <th scope="col" className={className} style={{ width }} aria-sort={isBy ? direction : undefined}>
      <button type="button" className={styles.sort} onClick={() => sorting.onSort(by)}>
        {t(name)} {isBy && <Arrow aria-hidden />}
      </button>
    </th>
  );
}

/** Videos as a dense table. */
export function VideoTable({
  items,
  total,
  spaceBefore = 0,
  spaceAfter = 0,
  newSince,
  selection,
  active,
  listeners,
  listRef,
  sorting,
}: ListProps) {
  const { t } = useLingui();
  const unit = useConfig()?.file_size_unit;
  const { columns, visible, toggle, leastWidth } = useTableColumns();
  const box = useRef<HTMLDivElement>(null);
  // The header can only stick to the window where the table does not scroll sideways.
  const fits = useWidth(box) >= leastWidth;
  return (
    <div ref={box} className={`${styles.scroll} ${fits ? styles.fitting : ''}`} role="region" aria-label={t`Videos`} tabIndex={0}>
      <table
        style={{ minWidth: leastWidth }}
        className={`${styles.table} ${selection.isOn ? styles.selecting : ''}`}
        aria-rowcount={total}
        ref={listRef}
        {...listeners}
      >
        <thead>
          <tr>
            <th scope="col" className={styles.narrow}>
              <span className="hidden">{t`Selected`}</span>
            </th>
            <Head name={msg`Title`} by="title" sorting={sorting} />
            {visible.map((column) => (
              <Head {...column} key={column.key} sorting={sorting} />
            ))}
            <th scope="col" className={styles.last}>
              <span className="hidden">{t`Actions`}</span>
              <Menu
                trigger={
                  <IconButton label={t`Columns of the table`}>
                    <IconColumns3 aria-hidden />
                  </IconButton>
                }
              >
                {columns.map(({ key, name }) => (
                  <MenuCheck key={key} isOn={visible.some((one) => one.key === key)} onChange={(isOn) => toggle(key, isOn)}>
                    {t(name)}
                  </MenuCheck>
                ))}
              </Menu>
            </th>
          </tr>
        </thead>
        <tbody>
          {spaceBefore > 0 && <tr aria-hidden style={{ height: spaceBefore }} />}
          {items.map(({ index, video }) => {
            if (!video) return <tr key={index} data-at={index} className={styles.row} />;
            const cardSelection = cardSelectionFor(selection, { index, video });
            const tabIndex = index === active ? 0 : -1;
            return (
              <tr key={index} data-at={index} className={`${styles.row} ${cardSelection.isSelected ? styles.selected : ''}`}>
                <td className={styles.narrow} data-box>
                  <input
                    type="checkbox"
                    aria-label={t`Select “${video.title}”`}
                    checked={cardSelection.isSelected}
                    tabIndex={tabIndex}
                    onChange={cardSelection.toggle}
                  />
                </td>
                <td className={styles.wide}>
                  {isNewSince(video, newSince) && <span className={styles.new}>{t`New`}</span>}
                  <Link to={pathOfVideo(video)} title={video.title} data-main tabIndex={tabIndex}>
                    {community?.signOf(video)}
                    <bdi>{video.title}</bdi>
                  </Link>
                </td>
                {visible.map(({ key, isNumber, title, cell }) => (
                  <td key={key} className={isNumber ? `${styles.right} number` : ''} title={title?.(video)}>
                    {cell(video, { unit, tabIndex })}
                  </td>
                ))}
                <td className={styles.actions}>
                  <WatchedButton video={video} tabIndex={tabIndex} />
                  <MoreButton video={video} onSelect={cardSelection.toggle} tabIndex={tabIndex} />
                </td>
              </tr>
            );
          })}
          {spaceAfter > 0 && <tr aria-hidden style={{ height: spaceAfter }} />}
        </tbody>
      </table>
    </div>
  );
}
