" What somebody at the keyboard of Vim with ALE does: see drive.py.
let s:patience = str2nr($CPR_PATIENCE)
let s:ours = '\C^\(or \)\?pipeline this tile loop with '
let s:verified = '\C^verify and apply: pipeline with ' " where there is one loop; these take longer

function! s:Say(...) abort
  call writefile([join(map(copy(a:000), 'substitute(v:val, "\n", " ", "g")'), "\t")], $CPR_WORK . '/transcript', 'a')
endfunction

function! s:Wait(what, condition) abort
  let l:start = reltime()
  while !a:condition()
    if reltimefloat(reltime(l:start)) > s:patience
      throw 'waited in vain for ' . a:what
    endif
    sleep 20m
  endwhile
endfunction

" How often ALE has heard of the text.
let s:said = 0
augroup cpr
  autocmd User ALELintPost let s:said += 1
augroup END

" The tile loops in the location list, without the name of the check, which ALE puts in front.
function! s:Shown() abort
  let l:list = map(getloclist(0), 'extend(v:val, {"text": substitute(v:val.text, "^cuda-pipeline-tile-loop: ", "", "")})')
  return filter(l:list, 'v:val.text =~# "^Pipeline this tile loop with "')
endfunction

" Changes the text and waits for what is said of the new one; with a count, until it is that many loops.
function! s:Change(what, count, Action) abort
  let l:said = s:said
  call a:Action()
  doautocmd TextChanged
  " ALE does not look at versions: what is said first may be about the text before. The last word counts.
  let l:quiet = {'said': -1, 'since': reltime()}
  function! l:quiet.Long() abort
    if s:said != self.said
      let [self.said, self.since] = [s:said, reltime()]
    endif
    return reltimefloat(reltime(self.since)) > 1.2
  endfunction
  call s:Wait((a:count < 0 ? 'the' : a:count) . ' diagnostics after: ' . a:what,
        \ {-> l:quiet.Long() && s:said > l:said && (a:count < 0 || len(s:Shown()) == a:count)})
endfunction

" The menu of code actions at a place; Choose gets the titles and returns one of them, or nothing. ALE asks for a number.
function! ale#util#Input(message, value) abort
  let l:titles = map(filter(split(a:message, "\n"), 'v:val =~# "^\\d\\+) "'), 'substitute(v:val, "^\\d\\+) ", "", "")')
  let s:asked = 1
  let l:title = s:choose(l:titles)
  if l:title isnot# '' && index(l:titles, l:title) < 0
    let s:wrong = 'no code action ' . l:title
  endif
  return l:title is# '' ? '' : string(index(l:titles, l:title) + 1)
endfunction

function! s:CodeActions(place, Choose) abort
  let [s:asked, s:wrong, s:choose] = [0, '', a:Choose]
  call cursor(a:place)
  ALECodeAction
  call s:Wait('code actions at line ' . a:place[0], {-> s:asked})
  if s:wrong isnot# ''
    throw s:wrong
  endif
endfunction

function! s:Main() abort
  let l:before = getline(1, '$')
  call s:Wait('diagnostics', {-> !empty(s:Shown())})
  let [l:loops, l:count] = [s:Shown(), 0]
  for l:loop in l:loops
    call s:Say('shown', l:loop.lnum, l:loop.text)
    let l:place = [l:loop.lnum, l:loop.col]
    let l:all = []
    call s:CodeActions(l:place, {titles -> [extend(l:all, titles), ''][1]})
    let l:titles = filter(l:all, 'v:val =~# s:ours || (len(l:loops) == 1 && v:val =~# s:verified)')
    for l:title in l:titles
      call s:Say('offered', l:loop.lnum, l:title)
    endfor
    for l:title in l:titles
      call s:Change(l:title, -1, {-> [
            \ s:CodeActions(l:place, {-> l:title}),
            \ s:Wait('the change of ' . l:title, {-> getline(1, '$') != l:before}),
            \ ]})
      write
      call writefile(readfile($CPR_FILE, 'b'), $CPR_WORK . '/fixed.' . l:count . '.cu', 'b')
      call s:Say('fixed', l:count, l:loop.lnum, l:title)
      call s:Change('undo', len(l:loops), {-> execute('undo')})
      write
      call s:Say('undone', l:count, getline(1, '$') == l:before ? 'same' : 'different')
      let l:count += 1
    endfor
  endfor
  call s:Change('an illegal line', 0, {-> execute('%s/^\(\s*\)__syncthreads();$/&\r\1' . escape($CPR_ILLEGAL, '/\&') . '/')})
  call s:Say('illegal', len(s:Shown()))
  call s:Change('undo', len(l:loops), {-> execute('undo')})
  call s:Say('again', len(s:Shown()))
  call s:Say('end')
endfunction

function! s:Run(timer) abort
  try
    call s:Main()
  catch
    call s:Say('failed', v:exception . ' at ' . v:throwpoint)
    call writefile(split(execute('messages'), "\n"), $CPR_WORK . '/editor.log', 'a')
    cquit!
  endtry
  qall!
endfunction
autocmd cpr VimEnter * call timer_start(0, function('s:Run'))
