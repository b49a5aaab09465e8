import { build } from "vite";

/** Builds a script with all that it imports into one text. */
export async function oneScript(
  file: string,
  define: Readonly<Record<string, string>> = {},
): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: "error",
    build: {
      write: false,
      target: "es2023",
      modulePreload: false,
      lib: { entry: file, formats: ["iife"], name: "script", fileName: "script" },
      minify: true,
      rolldownOptions: { output: { codeSplitting: false } },
    },
    define: { "process.env.NODE_ENV": '"production"', ...define },
  });
  const outputs = Array.isArray(built) ? built : [built];
  const chunks = outputs.flatMap((each) => ("output" in each ? each.output : []));
  const [chunk, other] = chunks.filter(({ type }) => type === "chunk");
  if (chunk?.type !== "chunk" || other !== undefined) {
    throw new Error(`${file} has to become one script`);
  }
  return chunk.code;
}
