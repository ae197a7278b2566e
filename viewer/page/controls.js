// Creates and connects the controls of the page. The table `actions` maps commands to functions.

/** @import { Camera } from './camera.js' */
/** @import { Colours } from './colours.js' */
/** @import { Connection } from './connection.js' */
/** @import { Picture } from './picture.js' */
/** @import { Pointer } from './pointer.js' */
/** @import { Recorder } from './recorder.js' */
import { announce } from './announce.js';
import { listenToClipboard } from './clipboard.js';
import { Clips } from './clips.js';
import { toast } from './dialogs.js';
import { byId } from './dom.js';
import { Drawing } from './drawing.js';
import { Export } from './export.js';
import { Files } from './files.js';
import { askForPlace } from './go_to.js';
import { showHelp } from './help.js';
import { Identifying } from './identify.js';
import { commandOf, listenToKeys } from './keys.js';
import { isKiosk, showKiosk } from './kiosk.js';
import { Labels } from './labels.js';
import { Legend } from './legend.js';
import { Library } from './library.js';
import { Links } from './link.js';
import { Looker } from './look.js';
import { OverviewMap } from './map.js';
import { Marks } from './marks.js';
import { Moments } from './moments.js';
import { MoreTools } from './more_tools.js';
import { askForChange, askForUniverse } from './new_universe.js';
import { showNothing } from './nothing.js';
import { Panel, showUniverse } from './panel.js';
import { Past } from './past.js';
import { Recording } from './record.js';
import { Selection } from './selection.js';
import { SelectionBar } from './selection_bar.js';
import { Session } from './session.js';
import { showStatus } from './status.js';
import { Timeline } from './timeline.js';
import { makeButtons, Toolbar } from './toolbar.js';
import { Tools } from './tools.js';
import { showWaiting } from './waiting.js';

/**
 * Returns the element that gets the focus in a part of the page, or null if there is none.
 * @param {string} id
 */
function firstOf(id) {
    const pane = byId(id, HTMLElement);
    if (id === 'stage') return pane;
    const found = id === 'panel' ? pane.querySelectorAll('[role="tab"][aria-selected="true"]') :
        pane.querySelectorAll('button:enabled');
    return [...found].find((each) => each instanceof HTMLElement && each.checkVisibility()) ?? null;
}

/** Moves the focus to the next part of the page. */
function focusNextPane() {
    const panes = ['bar', 'panel', 'stage', 'past', 'timeline', 'status'];
    const now = panes.findIndex((id) => byId(id, HTMLElement).contains(document.activeElement));
    for (let i = 1; i <= panes.length; i++) {
        const first = firstOf(panes[(now + i) % panes.length]);
        if (!(first instanceof HTMLElement)) continue;
        first.focus();
        return;
    }
}

/**
 * @param {object} parts
 * @param {Connection} parts.connection
 * @param {Camera} parts.camera
 * @param {Picture} parts.picture
 * @param {Pointer} parts.pointer
 * @param {Colours} parts.colours
 * @param {Recorder} parts.recorder
 */
export function createControls({ connection, camera, picture, pointer, colours, recorder }) {
    const session = new Session(connection);
    const takeOver = () => void session.ask({ do: 'take' });
    session.complain = (text) => {
        toast(text, session.mayTake ? { label: 'Take over', run: takeOver } : null);
    };

    session.offer = toast;

    const marks = new Marks(picture);
    const selection = new Selection(session, marks);
    /** @returns {import('./types.js').Cell} */
    const middle = () => tools.middle();
    const clips = new Clips(session, marks, middle);
    const panel = new Panel();
    const library = new Library(session, clips);
    const drawing = new Drawing({ session, camera, marks, selection });
    const tools = new Tools({ session, camera, marks, selection, clips, drawing, pointer });
    const more = new MoreTools();
    const exporting = new Export({ session, selection, camera, colours });
    const toolbar = new Toolbar(session);
    const looker = new Looker(session, camera, picture);
    new SelectionBar(selection, camera, pointer);
    /** @param {import('./types.js').Cell} cell */
    const goTo = ({ x, y }) => {
        looker.leave();
        camera.centreOn({ x, y, fx: 0.5, fy: 0.5 });
    };
    const map = new OverviewMap(session, camera, colours, goTo);
    const identifying = new Identifying({ session, selection, panel });
    const labels = new Labels({ session, camera, marks });
    const moments = new Moments(session);
    const timeline = new Timeline(session);
    const past = new Past(session);
    /** Whether the playback commands act on the frames of a timeline instead of the history. */
    const has_frames = () => session.state !== null && session.state.timeline !== null;
    const files = new Files(session);
    const recording = new Recording(session, picture, recorder);
    showStatus(session, camera);
    showWaiting(session);
    showUniverse(session);
    new Legend(colours);
    showNothing(session, tools);
    showKiosk(session);
    const links = new Links({ session, camera, looker, colours, asks: !isKiosk });

    tools.onChosen = (name) => {
        if (name === 'select' || tools.holdsClip) panel.suggest('edit');
        panel.makeRoom();
        more.chosen(name);
    };
    panel.onShow = (page) => {
        if (page === 'patterns') void library.load();
    };

    /** The function of each command. @type {Record<string, () => void>} */
    const actions = {
        'run': () => void toolbar.run(),
        'step': () => toolbar.step(false),
        'leap': () => toolbar.step(true),
        'leap-shorter': () => toolbar.changeExponent(-1),
        'leap-longer': () => toolbar.changeExponent(1),
        'faster': () => (timeline.plays ? timeline : toolbar).changeSpeed(1),
        'slower': () => (timeline.plays ? timeline : toolbar).changeSpeed(-1),
        'reset': () => void moments.reset(),
        'keep': () => void moments.keep(),
        'return': () => void moments.returnToLast(),
        'play': () => void (has_frames() ? timeline.play('forwards') : toolbar.run()),
        'play-back': () => void (has_frames() ? timeline.play('backwards') : past.playBack()),
        'frame-next': () => (has_frames() ? timeline : past).step(1),
        'frame-back': () => (has_frames() ? timeline : past).step(-1),
        'frame-first': () => (has_frames() ? timeline : past).goTo('first'),
        'frame-last': () => (has_frames() ? timeline : past).goTo('last'),
        'time': () => past.toggle(),
        'frame-return': () => timeline.goBack(),
        'loop': () => timeline.loop(),
        'fit': () => void looker.fit(),
        'follow': () => looker.follow(),
        'middle': () => looker.middle(),
        'zoom-in': () => looker.zoom(2),
        'zoom-out': () => looker.zoom(1 / 2),
        'pan-left': () => looker.pan(-1, 0),
        'pan-right': () => looker.pan(1, 0),
        'pan-up': () => looker.pan(0, -1),
        'pan-down': () => looker.pan(0, 1),
        'grid': () => looker.grid(),
        'theme': () => {
            colours.toggle();
            announce(colours.theme === 'dark' ? 'Dark colours.' : 'Light colours.');
        },
        'colours-next': () => colours.nextCells(1),
        'full-screen': () => void looker.fullScreen(),
        'hand': () => tools.choose('hand'),
        'draw': () => tools.choose('draw'),
        'erase': () => tools.choose('erase'),
        'line': () => tools.choose('line'),
        'select': () => tools.choose('select'),
        'rectangle': () => tools.choose('rectangle'),
        'ellipse': () => tools.choose('ellipse'),
        'flood': () => tools.choose('flood'),
        'move': () => {
            if (selection.isChosen()) tools.choose('move');
        },
        'paste': () => void clips.begin('paste'),
        'stamp': () => void clips.begin('stamp'),
        'brush-larger': () => drawing.changeSize(1),
        'brush-smaller': () => drawing.changeSize(-1),
        'symmetry-next': () => drawing.nextSymmetry(),
        'symmetry-centre': () => drawing.centre(tools.cursor),
        'more-tools': () => more.toggle(),
        'go-to': () => askForPlace(session, camera, goTo),
        'labels': () => labels.toggle(),
        'map': () => map.toggle(),
        'cursor-left': () => tools.moveCursor(-1, 0),
        'cursor-right': () => tools.moveCursor(1, 0),
        'cursor-up': () => tools.moveCursor(0, -1),
        'cursor-down': () => tools.moveCursor(0, 1),
        'press': () => tools.press(),
        'cancel': () => {
            if (!more.close() && !panel.close()) tools.cancel();
        },
        'undo': () => void session.steer({ do: 'undo' }),
        'redo': () => void session.steer({ do: 'redo' }),
        'select-all': () => void selection.selectAll(),
        'unselect': () => selection.set(null),
        'copy': () => void selection.take('copy'),
        'cut': () => void selection.take('cut'),
        'clear': () => void selection.clear(false),
        'clear-outside': () => void selection.clear(true),
        'fill': () => void selection.fill(),
        'invert': () => void selection.invert(),
        'shrink': () => void selection.shrink(),
        'identify': () => void identifying.identify(),
        'advance-inside': () => void selection.advance(false),
        'advance-outside': () => void selection.advance(true),
        'cells-flip-x': () => void selection.turn('flip-x'),
        'cells-flip-y': () => void selection.turn('flip-y'),
        'cells-turn-left': () => void selection.turn('left'),
        'cells-turn-right': () => void selection.turn('right'),
        'flip-x': () => void clips.turn('flip-x'),
        'flip-y': () => void clips.turn('flip-y'),
        'turn-left': () => void clips.turn('left'),
        'turn-right': () => void clips.turn('right'),
        'paste-text': () => void clips.fromDialog(),
        'new': () => void askForUniverse(session, camera.size),
        'change': () => askForChange(session, camera.size),
        'open': () => files.choose(),
        'save': () => files.save(),
        'link': () => void links.copy(),
        'picture': () => void recording.savePicture(),
        'record': () => void recording.toggle(),
        'film': () => exporting.film(),
        'export-png': () => void exporting.png(),
        'export-svg': () => void exporting.svg(),
        'panel': () => panel.toggle(),
        'patterns': () => {
            more.close();
            panel.openAt('patterns');
            library.focus();
        },
        'next-pane': focusNextPane,
        'help': () => showHelp(session.hello?.version ?? ''),
        'take': takeOver,
        'lock': () => void session.steer({ do: 'lock', on: !session.state?.locked }),
    };
    for (const pixels of [1, 2, 4, 8, 16, 32]) {
        actions[`scale-${pixels}`] = () => looker.scale(pixels);
    }

    const run = (/** @type {string} */ id) => {
        if (isKiosk && id !== 'full-screen') return;
        if (commandOf.get(id)?.steers && !session.maySteer()) return;
        actions[id]?.();
    };
    makeButtons(run);

    let panned = false;
    // While the user pastes, the keys for rotating and flipping act on the clip. If the user is not
    // pasting, the keys for rotating and flipping act on the selection.
    const turns = ['flip-x', 'flip-y', 'turn-left', 'turn-right'];
    const isOfCells = (/** @type {string} */ id) =>
        turns.includes(id) && !tools.holdsClip && selection.box !== null;
    listenToKeys(({ id }) => run(isOfCells(id) ? `cells-${id}` : id), {
        waits: () => tools.name !== 'hand',
        pressed: () => {
            panned = false;
        },
        panned: () => panned,
    });
    byId('stage', HTMLElement).addEventListener('pointerdown', () => {
        panned = true;
    });
    // If the user moves the view, end the command Follow, so that the view stays where the user
    // wants it.
    pointer.addEventListener('pan', () => looker.setFollowing(false));
    listenToClipboard({
        take: (how) => void selection.take(how),
        pasted: (text) => void clips.fromText(text),
        any: () => selection.box !== null,
    });
    connection.addEventListener('error', (event) => {
        if (event instanceof CustomEvent) session.complain(String(event.detail));
    });

    session.addEventListener('universe', () => {
        const { universe } = session;
        if (universe !== null) announce(`${session.name || 'A universe'}, ${universe.rule_text}.`);
    });
    byId('stage', HTMLElement).focus({ preventScroll: true });
    return { session, tools, selection, looker };
}
