import { z } from "zod";

import { converted, decodeAddress, ImageCollector, type Converted } from "../convert/converted.ts";
import { decodeText } from "../convert/file-kind.ts";
import { fenced } from "../convert/markdown-table.ts";
import { hiddenNotices, removeHiddenText } from "../convert/hidden-text.ts";
import { documentMarkdown, parsePage } from "../convert/html.ts";
import type { ConversionJob } from "./formats.ts";

const Text = z.union([z.string(), z.array(z.string())]).transform((text) => [text].flat().join(""));
const Output = z.object({
  output_type: z.string().default(""),
  text: Text.optional(),
  data: z.record(z.string(), z.unknown()).default({}),
  ename: z.string().optional(),
  evalue: z.string().optional(),
});
const Cell = z.object({
  cell_type: z.string(),
  source: Text.default(""),
  input: Text.optional(),
  outputs: z.array(Output).default([]),
  /** Pictures of its text, by name and type, in base64. */
  attachments: z.record(z.string(), z.record(z.string(), z.unknown())).default({}).catch({}),
});
const Notebook = z.object({
  cells: z.array(Cell).optional(),
  worksheets: z.array(z.object({ cells: z.array(Cell) })).optional(),
  metadata: z
    .object({
      language_info: z.object({ name: z.string() }).optional().catch(undefined),
      kernelspec: z.object({ language: z.string() }).optional().catch(undefined),
    })
    .catch({}),
});

/** Longer outputs are cut: logs of a training run. */
const MAX_OUTPUT = 20_000;

/** A Jupyter notebook: its texts as they are, its code fenced, and what the code printed or drew. */
export function convertNotebook({ bytes, kind }: ConversionJob): Converted {
  const json: unknown = JSON.parse(decodeText(bytes, kind.encoding));
  const { cells, worksheets, metadata } = Notebook.parse(json);
  const language = metadata.language_info?.name ?? metadata.kernelspec?.language ?? "";
  const images = new ImageCollector();
  let hidden = 0;
  let cut = 0;
  const all = cells ?? worksheets?.flatMap((sheet) => sheet.cells) ?? [];
  const parts = all.flatMap(({ cell_type: type, source, input, outputs, attachments }) => {
    const text = (input ?? source).trim();
    if (type === "markdown") return [withAttachments(text, attachments, images)];
    if (type !== "code") return text === "" ? [] : [fenced(text)];
    const shown = outputs.map((output) => {
      const { markdown, words = 0, isCut = false } = outputMarkdown(output, images);
      hidden += words;
      if (isCut) cut += 1;
      return markdown;
    });
    return [
      text === "" ? "" : fenced(text, /^[\w+-]{1,20}$/u.test(language) ? language : ""),
      ...shown,
    ];
  });
  const markdown = parts.filter((part) => part !== "").join("\n\n");
  const limit = MAX_OUTPUT.toLocaleString("en");
  const cuts = cut === 0 ? [] : [`Outputs of more than ${limit} characters were cut: ${cut}.`];
  return converted(null, markdown, { images, notices: [...hiddenNotices(hidden), ...cuts] });
}

/** A text with the pictures that are kept in its cell: `![plan](attachment:plan.png)`. */
function withAttachments(
  text: string,
  attachments: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  images: ImageCollector,
): string {
  const addresses = new Map(
    Object.entries(attachments).map(([name, forms]) => {
      const encoded = Object.values(forms).flatMap((form) => Text.safeParse(form).data ?? []);
      return [name, images.add(Buffer.from(encoded[0] ?? "", "base64"))];
    }),
  );
  return text.replaceAll(ATTACHED, (whole, alt: string, name: string) => {
    const address = addresses.get(decodeAddress(name));
    if (address === undefined) return whole;
    return address === null ? (alt === "" ? "" : `*(picture: ${alt})*`) : `![${alt}](${address})`;
  });
}

const ATTACHED = /!\[([^\]]*)\]\(attachment:([^)\s]+)\)/gu;

function outputMarkdown(
  { text, data, ename, evalue }: z.infer<typeof Output>,
  images: ImageCollector,
): { markdown: string; words?: number; isCut?: boolean } {
  for (const type of ["image/png", "image/jpeg"]) {
    const encoded = Text.safeParse(data[type]).data;
    const address = encoded === undefined ? null : images.add(Buffer.from(encoded, "base64"));
    if (address !== null) return { markdown: `![](${address})` };
  }
  const html = Text.safeParse(data["text/html"]).data;
  if (html !== undefined && /<table\b/iu.test(html)) {
    const page = parsePage(html);
    const words = removeHiddenText(page);
    return { markdown: documentMarkdown(page, images), words };
  }
  const markdown = Text.safeParse(data["text/markdown"]).data;
  if (markdown !== undefined) return { markdown: markdown.trim() };
  const error = ename === undefined ? undefined : `${ename}: ${evalue ?? ""}`;
  const printed = text ?? Text.safeParse(data["text/plain"]).data ?? error ?? "";
  // Colours of terminals.
  const clean = printed.replaceAll(/\p{Cc}\[[\d;]*m/gu, "").trim();
  const shown = clean === "" ? "" : fenced(clean.slice(0, MAX_OUTPUT));
  return { markdown: shown, isCut: clean.length > MAX_OUTPUT };
}
