import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

interface VirtualListProps<T> {
  readonly items: readonly T[];
  readonly rowHeight: number;
  readonly selectedIndex: number;
  readonly label: string;
  readonly keyOf: (item: T) => string;
  readonly row: (item: T, index: number) => ComponentChildren;
}

const SPARE_ROWS = 6;

/** Only the rows that can be seen are in the document, however long the list is. */
export function VirtualList<T>({ items, rowHeight, selectedIndex, label, keyOf, row }: VirtualListProps<T>) {
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
  useEffect(() => {
    const element = box.current;
    if (element === null || selectedIndex < 0) return;
    const start = selectedIndex * rowHeight;
    if (start < element.scrollTop) element.scrollTop = start;
    else if (start + rowHeight > element.scrollTop + element.clientHeight) {
      element.scrollTop = start + rowHeight - element.clientHeight;
    }
  }, [selectedIndex, rowHeight]);
  const first = Math.max(0, Math.floor(top / rowHeight) - SPARE_ROWS);
  const last = Math.min(items.length, Math.ceil((top + height) / rowHeight) + SPARE_ROWS);
  return (
    <section class="list" ref={box} aria-label={label} onScroll={(event) => setTop(event.currentTarget.scrollTop)}>
      <ul style={{ height: `${items.length * rowHeight}px` }}>
        {items.slice(first, last).map((item, offset) => (
          <li
            key={keyOf(item)}
            style={{ top: `${(first + offset) * rowHeight}px`, height: `${rowHeight}px` }}
            aria-setsize={items.length}
            aria-posinset={first + offset + 1}
          >
            {row(item, first + offset)}
          </li>
        ))}
      </ul>
    </section>
  );
}
