// How long a note is looked at: while the page is seen and somebody is at work.
import { page, send } from "./state.js";

const IDLE = 60_000;
let from = 0;
let lastAct = 0;

function spent() {
  if (!from) return 0;
  const until = Math.min(Date.now(), lastAct + IDLE);
  return Math.max(0, until - from) / 1000;
}

// Tell the server what a note took so far; keepalive: also while the page goes away.
export function tellTime() {
  const seconds = spent();
  from = document.hidden ? 0 : Date.now();
  lastAct = Date.now();
  if (page.note && seconds >= 0.1) send("time", { note: page.note.id, seconds }, true);
}

export function startClock() {
  from = lastAct = Date.now();
  const act = () => {
    // After a pause the time begins anew; what went before it has counted.
    if (Date.now() - lastAct > IDLE) tellTime();
    lastAct = Date.now();
    from ||= lastAct;
  };
  for (const name of ["keydown", "pointerdown", "pointermove", "wheel"]) {
    document.addEventListener(name, act, { passive: true });
  }
  document.addEventListener("visibilitychange", tellTime);
}
