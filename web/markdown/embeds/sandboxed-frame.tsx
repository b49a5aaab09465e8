import { useEffect, useRef, useState, type ReactNode } from "react";

interface SandboxedFrameProps {
  /** Of a document in `web/frames`. */
  readonly name: "diagram" | "picture";
  readonly title: string;
  /** What it draws. */
  readonly message: Readonly<Record<string, string>>;
  /** In its place when it cannot. */
  readonly failed: ReactNode;
}

/** Pixels: a drawing of somebody else must not take the whole page. */
const TALLEST = 3000;
/** Pixels that are kept free for a drawing that is not there yet. */
const NOT_DRAWN = 120;

/**
 * A document with an origin of its own, that can neither reach this page nor ask for anything: it is sent what to draw, and says how high that
 * is. So what large libraries make of somebody's text stays in there.
 */
export function SandboxedFrame({ name, title, message, failed }: SandboxedFrameProps): ReactNode {
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState<number | null>(null);
  const [isFailed, setFailed] = useState(false);
  const [isLoaded, setLoaded] = useState(false);
  const text = JSON.stringify(message);

  useEffect(() => {
    const onMessage = ({ source, data }: MessageEvent<unknown>): void => {
      if (frame.current === null || source !== frame.current.contentWindow) return;
      const said = typeof data === "object" && data !== null && "height" in data ? data.height : 0;
      if (typeof said === "number" && said > 0) setHeight(Math.min(said, TALLEST));
      else setFailed(true);
    };
    window.addEventListener("message", onMessage);
    return () => window.removeEventListener("message", onMessage);
  }, []);

  useEffect(() => {
    if (!isLoaded) return;
    setFailed(false);
    const isDark = window.matchMedia("(prefers-color-scheme: dark)").matches;
    // Its origin has no name that one could address.
    frame.current?.contentWindow?.postMessage({ ...JSON.parse(text), isDark }, "*");
  }, [isLoaded, text]);

  return (
    <>
      {isFailed ? failed : null}
      <iframe
        ref={frame}
        title={title}
        src={`/frame/${name}`}
        sandbox="allow-scripts"
        // A diagram is large; an image was asked for.
        loading={name === "diagram" ? "lazy" : "eager"}
        className={isFailed ? "hidden" : "sandboxed"}
        // Until it has drawn, browsers paint it white, also on a dark page.
        style={{ height: height ?? NOT_DRAWN, opacity: height === null ? 0 : 1 }}
        onLoad={() => setLoaded(true)}
      />
    </>
  );
}
