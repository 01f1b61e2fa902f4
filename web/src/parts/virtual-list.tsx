import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

interface VirtualListProps<T> {
  readonly items: readonly T[];
  readonly rowHeight: number;
  readonly selectedIndex: number;
  readonly label: string;
  readonly keyOf: (item: T) => string;
  readonly row: (item: T, index: number) => ComponentChildren;
}

const SPARE_ROWS = 6;

/**
 * Only the rows that can be seen are in the document, however long the list is; and the selected one, which may hold
 * the focus. Whoever moves through the list with the focus in it takes the focus along.
 */
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
  const shown = items.map((item, index) => ({ item, index })).slice(first, last);
  const selected = items[selectedIndex];
  if (selected !== undefined && selectedIndex < first) shown.unshift({ item: selected, index: selectedIndex });
  if (selected !== undefined && selectedIndex >= last) shown.push({ item: selected, index: selectedIndex });
  return (
    <section class="list" ref={box} aria-label={label} onScroll={(event) => setTop(event.currentTarget.scrollTop)}>
      <ul style={{ height: `${items.length * rowHeight}px` }}>
        {shown.map(({ item, index }) => (
          <li
            key={keyOf(item)}
            style={{ top: `${index * rowHeight}px`, height: `${rowHeight}px` }}
            aria-setsize={items.length}
            aria-posinset={index + 1}
          >
            {row(item, index)}
          </li>
        ))}
      </ul>
    </section>
  );
}
