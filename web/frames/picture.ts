/* The script of the frame that shows an image of another server: its policy allows images from anywhere, and nothing else. */

interface Wanted {
  readonly href: string;
  readonly alt: string;
}

window.addEventListener("message", ({ source, data }: MessageEvent<Wanted>) => {
  if (source !== window.parent) return;
  const image = document.createElement("img");
  image.referrerPolicy = "no-referrer";
  image.alt = data.alt;
  image.addEventListener("load", () => {
    window.parent.postMessage({ height: Math.ceil(image.getBoundingClientRect().height) }, "*");
  });
  image.addEventListener("error", () => window.parent.postMessage({ height: 0 }, "*"));
  image.src = data.href;
  document.body.replaceChildren(image);
});
