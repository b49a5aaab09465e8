import { expect, it } from "vitest";

import { handedFiles } from "./handed-files.ts";

const BASE64 = Buffer.from("The pump").toString("base64");

/** With every field that is listed, as strict clients send it. */
it.each([
  ["a text", { name: "a.md", data: "", text: "The pump" }, "a.md"],
  ["base64", { name: "a.md", data: BASE64, text: "" }, "a.md"],
  ["null", { name: "", data: null, text: "The pump" }, "file-1.md"],
  ["a link", { name: "", data: "", text: "", uri: `data:text/plain;base64,${BASE64}` }, "file-1"],
  ["a resource", { name: "", data: "", resource: { uri: "x:/a.md", blob: BASE64 } }, "a.md"],
])("takes %s among fields that are filled with nothing", async (_, given, name) => {
  const [file] = handedFiles([given]);
  expect(file?.name).toBe(name);
  expect(await file?.blob.text()).toBe("The pump");
});

it.each([
  ["a text", { name: "a.md", data: "", text: "" }],
  ["one with an empty address", { name: "a.md", data: "", text: "", uri: "" }],
  ["an embedded resource", { data: "", resource: { uri: "x:/a.md", text: "" } }],
])("takes %s that is empty", async (_, given) => {
  const [file] = handedFiles([given]);
  expect(file).toMatchObject({ name: "a.md" });
  expect(file?.blob.size).toBe(0);
});

it.each([
  [{ name: "a.md", data: "", text: "", uri: "file:///etc/passwd" }, "nothing is fetched"],
  [{ name: "a.md", data: "" }, "has no content"],
  [{ name: "a.pdf", data: "%%%", text: "" }, "is not base64"],
])("refuses %j", (given, why) => {
  expect(() => handedFiles([given])).toThrow(why);
});
