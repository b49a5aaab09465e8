import {
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type ComponentProps,
  type ReactNode,
} from "react";

interface VirtualRowsProps extends Omit<ComponentProps<"div">, "children"> {
  readonly count: number;
  /** Pixels, of every row. */
  readonly rowHeight: number;
  /** The row that is brought into sight when its name is another one; null for none. */
  readonly inSight: { readonly index: number; readonly name: string } | null;
  readonly children: (index: number) => ReactNode;
}

/** Rows beyond the edges, so that a quick scroll does not show a gap. */
const BEYOND = 8;

/** A list of which only the rows in sight are in the document, however long it is. */
export function VirtualRows(props: VirtualRowsProps): ReactNode {
  const { count, rowHeight, inSight, children, ...rest } = props;
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(800);

  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const bring = useEffectEvent(() => {
    const element = box.current;
    if (element === null || inSight === null) return;
    const [above, below] = [inSight.index * rowHeight, (inSight.index + 1) * rowHeight];
    if (above < element.scrollTop) element.scrollTop = above;
    else if (below > element.scrollTop + element.clientHeight) {
      element.scrollTop = below - element.clientHeight;
    }
  });
  // Not when rows above it are added or removed: that must not scroll the list.
  useEffect(() => bring(), [inSight?.name]);

  const first = Math.max(0, Math.floor(top / rowHeight) - BEYOND);
  const last = Math.min(count, Math.ceil((top + height) / rowHeight) + BEYOND);
  const shown = Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index);
  return (
    <div
      {...rest}
      ref={box}
      // Scroll anchoring would follow our rows, which are replaced at each step.
      style={{ overflowAnchor: "none" }}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <div role="presentation" className="relative" style={{ height: count * rowHeight }}>
        <div
          role="presentation"
          className="absolute inset-x-0"
          style={{ transform: `translateY(${first * rowHeight}px)` }}
        >
          {shown.map((index) => children(index))}
        </div>
      </div>
    </div>
  );
}
