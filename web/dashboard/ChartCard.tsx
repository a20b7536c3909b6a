import { useLingui } from '@lingui/react/macro';
import type { UseQueryResult } from '@tanstack/react-query';
import { IconChartBar, IconTable } from '@tabler/icons-react';
import { useId, useState, type ReactNode } from 'react';
import { Button } from '#web/ui/Button.tsx';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import styles from './Dashboard.module.css';

export interface Table {
  head: string[];
  /** The first cell is the row header. */
  rows: ReactNode[][];
}

interface Props<T> {
  title: string;
  query: UseQueryResult<T>;
  height: number;
  /** Shown instead of the plot when there is no data; without it, the card is hidden then. */
  emptyText?: string;
  isEmpty?(data: T): boolean;
  render(data: T): ReactNode;
  /** The data of the plot as a table. */
  table?(data: T): Table;
  isWide?: boolean;
}

export const DataTable = ({ label, head, rows }: Table & { label: string }) => (
  <div className={styles.scroll} tabIndex={0} role="group" aria-label={label}>
    <table className={styles.table}>
      <thead>
        <tr>
          {head.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells, index) => (
          <tr key={index}>
            {cells.map((cell, at) =>
              at === 0 ? (
                <th key={at} scope="row">
                  {cell}
                </th>
              ) : (
                <td key={at} className="number">
                  {cell}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/** A dashboard card that shows either a plot or its data as a table. */
export function ChartCard<T>({ title, query, height, emptyText, isEmpty, render, table, isWide = false }: Props<T>) {
  const { t } = useLingui();
  const [isTable, setIsTable] = useState(false);
  const id = useId();
  const isWithoutData = query.data !== undefined && isEmpty?.(query.data) === true;
  if (isWithoutData && emptyText === undefined) return null;
  return (
    <section className={`${styles.card} ${isWide ? styles.wide : ''}`} aria-labelledby={id}>
      <div className={styles.cardHead}>
        <h2 id={id}>{title}</h2>
        {table && query.data !== undefined && !isWithoutData && (
          <Button
            size="s"
            kind={isTable ? 'plain' : 'quiet'}
            icon={isTable ? <IconChartBar aria-hidden /> : <IconTable aria-hidden />}
            aria-pressed={isTable}
            aria-label={t`Table: ${title}`}
            onClick={() => setIsTable(!isTable)}
          >
            {t`Table`}
          </Button>
        )}
      </div>
      {query.isPending && <p className="hidden">{t`Loading...`}</p>}
      <QueryBoundary query={query} skeleton={height}>
        {(data) =>
          isWithoutData ? (
            <p className={styles.muted}>{emptyText}</p>
          ) : isTable && table ? (
            <DataTable label={title} {...table(data)} />
          ) : (
            render(data)
          )
        }
      </QueryBoundary>
    </section>
  );
}
