import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from "react";

import { IS_TEAM, useAccess } from "../api/access.ts";
import { problemOf, RequestProblem } from "../api/problem.ts";
import { useServices } from "../api/services.ts";
import { useStore } from "../api/store.ts";
import { useProblem } from "../api/use-problem.ts";
import { searchAddress } from "../app/addresses.ts";
import { PhoneNav } from "../app/phone-nav.tsx";
import { COMMAND_KEY, hasCommandKey } from "../app/shortcuts.ts";
import { errorText, texts } from "../texts/texts.ts";
import { Icon } from "../ui/icons.tsx";
import { pastedFiles } from "../ui/pasted-files.ts";
import { AnsweringBanner } from "./answering-banner.tsx";
import { AttachmentList } from "./attachment-list.tsx";
import { COMPLETION_LIST, completionId, CompletionList } from "./completion-list.tsx";
import { ModeSwitch } from "./mode-switch.tsx";
import { sendUpdate } from "./send-update.ts";
import { SharedBanner } from "./shared-banner.tsx";
import { useCompletions } from "./use-completions.ts";

interface ComposerProps {
  /** On a narrow screen, which has the way to the files in its row too. */
  readonly isMenuOpen: boolean;
  readonly onMenu: () => void;
}

/** The input that is always there: something to be kept, or something to be found. */
export function Composer({ isMenuOpen, onMenu }: ComposerProps): ReactNode {
  const { composer, router, updates, ask } = useServices();
  const { mayAdd } = useAccess();
  const state = useStore(composer.state);
  const focused = useStore(composer.focused);
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useProblem();
  const input = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const { mode, note, query, answering, attachments, isShared, isPreview } = state;
  const isSearch = mode === "search" || !mayAdd;
  const text = isSearch ? query : note;
  const isReady = text.trim() !== "" || (!isSearch && attachments.length > 0);

  useEffect(() => {
    if (focused === 0) return;
    input.current?.focus();
    input.current?.select();
  }, [focused]);

  // Unlike the text, they do not survive a reload: the browser asks first.
  const hasAttachments = attachments.length > 0;
  useEffect(() => {
    if (!hasAttachments) return undefined;
    const hold = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener("beforeunload", hold);
    return () => window.removeEventListener("beforeunload", hold);
  }, [hasAttachments]);

  const write = (value: string): void => {
    setProblem(null);
    if (!isSearch) {
      composer.change({ note: value });
      return;
    }
    composer.change({ query: value });
    if (router.place.get().view === "search") router.replace(searchAddress(value));
    else router.go(searchAddress(value));
  };

  const completions = useCompletions(isSearch ? query : null, write);
  const isCompleting = completions.filters.length > 0;

  const submitUpdate = async (): Promise<void> => {
    setSending(true);
    setProblem(null);
    try {
      const { id, failures = [] } = await sendUpdate(state);
      composer.clear(state);
      if (failures.length > 0) {
        const said = await Promise.all(
          failures.map(async ({ code, message }) => errorText(code, message)),
        );
        setProblem(new RequestProblem("not_read", said.join(" ")));
      }
      await updates.follow(id);
    } catch (error) {
      setProblem(problemOf(error));
    } finally {
      setSending(false);
      input.current?.focus();
    }
  };

  const submit = (): void => {
    if (!isReady || isSending) return;
    if (!isSearch) {
      void submitUpdate();
      return;
    }
    const question = query.trim();
    router.go(searchAddress(question));
    void ask.ask(question);
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    // While an input method composes a character, Enter confirms it.
    if (event.nativeEvent.isComposing) return;
    if (!hasCommandKey(event) && completions.onKey(event.key)) {
      event.preventDefault();
      return;
    }
    if (event.key !== "Enter") return;
    if (!hasCommandKey(event) && (!isSearch || event.shiftKey)) return;
    event.preventDefault();
    submit();
  };

  const placeholder = isSearch
    ? texts.composer.searchPlaceholder
    : answering === null
      ? texts.composer.notePlaceholder
      : texts.composer.answerPlaceholder;
  return (
    <form
      aria-label={texts.composer.label}
      // A telephone has no room for two inputs and its keyboard.
      className="px-3 pb-3 pt-1 max-md:group-has-[.cm-focused]/app:hidden sm:px-8 sm:pb-5"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div className="mx-auto max-w-[46rem] rounded-2xl border border-line bg-raised shadow-[0_2px_16px_rgb(0_0_0/0.06)] focus-within:border-strong-line">
        {answering === null || isSearch ? null : <AnsweringBanner answering={answering} />}
        {isShared && !isSearch ? <SharedBanner /> : null}
        {isSearch ? null : <AttachmentList attachments={attachments} />}
        <CompletionList completions={completions} />
        <textarea
          ref={input}
          value={text}
          rows={1}
          placeholder={placeholder}
          aria-label={placeholder}
          role={isSearch ? "combobox" : undefined}
          aria-expanded={isSearch ? isCompleting : undefined}
          aria-controls={isCompleting ? COMPLETION_LIST : undefined}
          aria-activedescendant={
            completions.chosen < 0 ? undefined : completionId(completions.chosen)
          }
          className="field-sizing-content block max-h-52 min-h-11 w-full resize-none bg-transparent px-4 pb-1 pt-3 outline-none placeholder:text-muted"
          onChange={(event) => write(event.target.value)}
          onKeyDown={onKeyDown}
          onFocus={() => {
            // Focusing a search shows its results again.
            if (isSearch && query !== "" && router.place.get().view !== "search") write(query);
          }}
          onPaste={(event) => {
            const files = pastedFiles(event.clipboardData);
            if (files.length === 0 || !mayAdd) return;
            event.preventDefault();
            composer.attach(files);
          }}
        />
        {problem === null ? null : (
          <p role="alert" className="px-4 pb-1 text-sm text-danger">
            {problem.message}
          </p>
        )}
        <div className="flex flex-wrap items-center gap-1 px-2.5 pb-2.5 pt-1 sm:gap-2">
          <PhoneNav isOpen={isMenuOpen} isShort={isReady && !isSearch} onOpen={onMenu} />
          {mayAdd ? (
            <ModeSwitch mode={mode} isShort={isReady} onChange={(next) => composer.focus(next)} />
          ) : null}
          {isSearch ? null : (
            <>
              <button
                type="button"
                aria-label={texts.composer.attach}
                title={texts.composer.attach}
                className="grid size-9 place-items-center rounded-lg text-muted hover:bg-code hover:text-ink"
                onClick={() => picker.current?.click()}
              >
                <Icon name="attach" />
              </button>
              <input
                ref={picker}
                type="file"
                multiple
                hidden
                onChange={(event) => {
                  composer.attach(event.target.files ?? []);
                  event.target.value = "";
                }}
              />
              {IS_TEAM ? null : (
                <label
                  className={`min-h-9 items-center gap-1.5 rounded-lg px-1.5 text-xs text-muted hover:text-ink ${isReady ? "flex" : "hidden md:flex"}`}
                >
                  <input
                    type="checkbox"
                    className="accent-accent"
                    checked={isPreview}
                    onChange={(event) => composer.setPreview(event.target.checked)}
                  />
                  {texts.composer.preview}
                </label>
              )}
            </>
          )}
          {/* Those that have no room wrap into a line that is not seen. */}
          <span className="hidden h-5 min-w-0 flex-1 basis-0 flex-wrap justify-end overflow-hidden text-xs leading-5 text-muted sm:flex">
            {isSearch ? (
              <Shortcut keys="↵" text={texts.composer.shortcutAsk} />
            ) : (
              <>
                <Shortcut keys={`${COMMAND_KEY} ↵`} text={texts.composer.shortcutSend} />
                <Shortcut keys={`${COMMAND_KEY} K`} text={texts.composer.shortcutSearch} />
              </>
            )}
          </span>
          <button
            type="submit"
            disabled={!isReady || isSending}
            className={`ml-auto h-9 items-center gap-1.5 rounded-lg bg-accent px-3.5 text-sm font-medium text-on-accent hover:opacity-90 disabled:bg-code disabled:text-muted sm:ml-0 ${isReady ? "inline-flex" : "hidden md:inline-flex"}`}
          >
            <span className="max-sm:sr-only">
              {isSending
                ? texts.composer.sending
                : isSearch
                  ? texts.composer.ask
                  : texts.composer.send}
            </span>
            <Icon name={isSearch ? "search" : "send"} className="size-3.5" />
          </button>
        </div>
      </div>
    </form>
  );
}

function Shortcut({ keys, text }: { readonly keys: string; readonly text: string }): ReactNode {
  return (
    <span className="ml-3 whitespace-nowrap">
      <kbd className="rounded border border-line px-1 font-sans">{keys}</kbd> {text}
    </span>
  );
}
