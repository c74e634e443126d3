/**
 * The values of one column, by row; a single value if all rows have the same, none if all are undefined. In JSON,
 * undefined becomes null.
 */
export type Column<T> = readonly T[];

/** Rows, by the names of their members. A value that all of them have is written once. */
export type Columns<T> = { readonly [Name in keyof T]: Column<T[Name]> };

/** One member of all rows. */
export function columnOf<Row, T>(rows: readonly Row[], read: (row: Row) => T): Column<T> {
  const [row] = rows;
  if (row === undefined) return [];
  const first = read(row);
  if (rows.some((each) => read(each) !== first)) return rows.map(read);
  return first === undefined ? [] : [first];
}

/** Restores the rows. */
export function rowsOf<T extends object>(columns: Columns<T>, count: number): T[] {
  const names = Object.keys(columns) as (keyof T)[];
  return Array.from({ length: count }, (_, place) => {
    const row = {} as T;
    for (const name of names) {
      const values = columns[name];
      row[name] = (values[values.length === 1 ? 0 : place] ?? undefined) as T[keyof T];
    }
    return row;
  });
}
