import { useEffect, useRef, useState, type ReactNode } from "react";

interface VirtualBodyProps {
  readonly count: number;
  /** Pixels, of every row. */
  readonly rowHeight: number;
  readonly columns: number;
  /** A `<tr>` of that height. */
  readonly children: (index: number) => ReactNode;
}

const BEYOND = 12;

/** The body of a table that scrolls with the page: only the rows in sight are in the document, however many there are. */
export function VirtualBody({ count, rowHeight, columns, children }: VirtualBodyProps): ReactNode {
  const body = useRef<HTMLTableSectionElement>(null);
  const [range, setRange] = useState({ first: 0, last: Math.min(count, 60) });

  useEffect(() => {
    const element = body.current;
    const box = element?.closest("main");
    if (element === null || box === null || box === undefined) return;
    const look = (): void => {
      const above = box.getBoundingClientRect().top - element.getBoundingClientRect().top;
      const first = Math.max(0, Math.floor(above / rowHeight) - BEYOND);
      const last = Math.min(count, Math.ceil((above + box.clientHeight) / rowHeight) + BEYOND);
      setRange((before) =>
        before.first === first && before.last === last ? before : { first, last },
      );
    };
    const observer = new ResizeObserver(look);
    observer.observe(box);
    look();
    box.addEventListener("scroll", look, { passive: true });
    return () => {
      observer.disconnect();
      box.removeEventListener("scroll", look);
    };
  }, [count, rowHeight]);

  const first = Math.min(range.first, count);
  const last = Math.max(first, Math.min(range.last, count));
  return (
    // Scroll anchoring would follow our rows, which are replaced at each step.
    <tbody ref={body} style={{ overflowAnchor: "none" }}>
      <Gap height={first * rowHeight} columns={columns} />
      {Array.from({ length: last - first }, (_, index) => children(first + index))}
      <Gap height={(count - last) * rowHeight} columns={columns} />
    </tbody>
  );
}

function Gap({
  height,
  columns,
}: {
  readonly height: number;
  readonly columns: number;
}): ReactNode {
  if (height <= 0) return null;
  return (
    <tr aria-hidden="true">
      <td colSpan={columns} style={{ height, padding: 0 }} />
    </tr>
  );
}
