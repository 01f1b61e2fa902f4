import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

interface VirtualListProps<T> {
  readonly items: readonly T[];
  readonly rowHeight: number;
  readonly selectedIndex: number;
  readonly label: string;
  readonly keyOf: (item: T) => string;
  /** `isStop`: the one row at which the tab key stops. */
  readonly row: (item: T, isStop: boolean) => ComponentChildren;
  /** The arrow keys: to a row, by its index. */
  readonly onMove: (index: number) => void;
}

const SPARE_ROWS = 6;

/**
 * However long the list is, the document has only its visible rows and the selected row. The tab key stops at the
 * selected row, which may have the focus. Inside the list the arrow keys move, and take the focus along.
 */
export function VirtualList<T>(props: VirtualListProps<T>) {
  const { items, rowHeight, selectedIndex, label, keyOf, row, onMove } = props;
  const box = useRef<HTMLElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(600);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || selectedIndex < 0) return;
    const start = selectedIndex * rowHeight;
    if (start < element.scrollTop) element.scrollTop = start;
    else if (start + rowHeight > element.scrollTop + element.clientHeight) {
      element.scrollTop = start + rowHeight - element.clientHeight;
    }
    setTop(element.scrollTop);
    if (element.contains(document.activeElement) && document.activeElement !== element) {
      element.querySelector<HTMLElement>('.row[aria-current]')?.focus({ preventScroll: true });
    }
  }, [selectedIndex, rowHeight]);
  const first = Math.max(0, Math.floor(top / rowHeight) - SPARE_ROWS);
  const last = Math.min(items.length, Math.ceil((top + height) / rowHeight) + SPARE_ROWS);
  const shownItems = items.slice(first, last).map((item, offset) => ({ item, index: first + offset }));
  const stop = Math.max(0, selectedIndex);
  const stopItem = items[stop];
  if (stopItem !== undefined && stop < first) shownItems.unshift({ item: stopItem, index: stop });
  if (stopItem !== undefined && stop >= last) shownItems.push({ item: stopItem, index: stop });
  return (
    <section
      class="list"
      ref={box}
      aria-label={label}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      onKeyDown={(event) => {
        if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
        const rowsInView = Math.max(1, Math.floor(height / rowHeight) - 1);
        const index = targetIndex(event.key, { from: selectedIndex, last: items.length - 1, page: rowsInView });
        if (index === undefined) return;
        event.preventDefault();
        onMove(index);
      }}
    >
      <ul style={{ height: `${items.length * rowHeight}px` }}>
        {shownItems.map(({ item, index }) => (
          <li
            key={keyOf(item)}
            style={{ top: `${index * rowHeight}px`, height: `${rowHeight}px` }}
            aria-setsize={items.length}
            aria-posinset={index + 1}
          >
            {row(item, index === stop)}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The index that a key leads to. */
function targetIndex(
  key: string,
  { from, last, page }: { readonly from: number; readonly last: number; readonly page: number },
): number | undefined {
  const places: Readonly<Record<string, number>> = {
    ArrowDown: from + 1,
    ArrowUp: from - 1,
    PageDown: from + page,
    PageUp: from - page,
    Home: 0,
    End: last,
  };
  const place = places[key];
  return place === undefined ? undefined : Math.max(0, Math.min(last, place));
}
