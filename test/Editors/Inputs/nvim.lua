-- What somebody at the keyboard of Neovim does: see drive.py. Its only words to the language server are those of vim.lsp.buf.
local env = vim.env
local patience = tonumber(env.CPR_PATIENCE) * 1000
local ours = '^pipeline this tile loop with '
local verified = '^verify and apply: pipeline with ' -- where there is one loop; these take longer

local function say(...)
  local file = assert(io.open(env.CPR_WORK .. '/transcript', 'a'))
  file:write(table.concat({ ... }, '\t'):gsub('\n', ' '), '\n')
  file:close()
end

local function wait(what, condition)
  if not vim.wait(patience, condition, 10) then
    error('waited in vain for ' .. what, 0)
  end
end

-- Versions of the text of which the server has said something.
local said = -1
local publish = vim.lsp.handlers['textDocument/publishDiagnostics']
vim.lsp.handlers['textDocument/publishDiagnostics'] = function(err, result, ...)
  publish(err, result, ...)
  if result.uri == vim.uri_from_bufnr(0) then
    said = math.max(said, result.version)
  end
end

-- The tile loops that are underlined now.
local function shown()
  local list = vim.tbl_filter(function(d)
    return d.message:lower():find(ours)
  end, vim.diagnostic.get(0))
  table.sort(list, function(a, b)
    return a.lnum < b.lnum
  end)
  return list
end

local function text()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), '\n')
end

-- Changes the text and waits for what is said of the new one; with a count, until it is that many loops: while an #include is new
-- there are none for a moment.
local function change(what, count, action)
  action()
  local version = vim.lsp.util.buf_versions[vim.api.nvim_get_current_buf()]
  wait((count or 'the') .. ' diagnostics after: ' .. what, function()
    return said >= version and (not count or #shown() == count)
  end)
end

-- The menu of code actions at a line; `choose` gets the titles and returns one of them, or nothing.
local function code_actions(line, choose)
  local open, wrong = false, nil
  vim.ui.select = function(items, options, done)
    local titles = vim.tbl_map(options.format_item, items)
    open = true
    local title = choose(titles)
    for i, item in ipairs(items) do
      if titles[i] == title then
        return done(item, i)
      end
    end
    wrong = title and 'no code action ' .. title
    done(nil)
  end
  vim.api.nvim_win_set_cursor(0, { line, 0 })
  vim.cmd('normal! ^')
  vim.lsp.buf.code_action()
  wait('code actions at line ' .. line, function()
    return open
  end)
  if wrong then
    error(wrong, 0)
  end
end

local function main()
  wait('diagnostics', function()
    return #shown() > 0
  end)
  local before, loops, count = text(), shown(), 0
  for _, d in ipairs(loops) do
    local line, titles = d.lnum + 1, {}
    say('shown', line, d.message)
    code_actions(line, function(all)
      for _, title in ipairs(all) do
        if title:gsub('^or ', ''):find(ours) or (#loops == 1 and title:find(verified)) then
          table.insert(titles, title)
          say('offered', line, title)
        end
      end
    end)
    for _, title in ipairs(titles) do
      change(title, nil, function()
        code_actions(line, function()
          return title
        end)
        wait('the change of ' .. title, function()
          return text() ~= before
        end)
      end)
      vim.cmd('write')
      assert(vim.loop.fs_copyfile(env.CPR_FILE, ('%s/fixed.%d.cu'):format(env.CPR_WORK, count)))
      say('fixed', count, line, title)
      change('undo', #loops, function()
        vim.cmd('undo')
      end)
      vim.cmd('write')
      say('undone', count, text() == before and 'same' or 'different')
      count = count + 1
    end
  end
  change('an illegal line', 0, function()
    vim.cmd([[%s/^\(\s*\)__syncthreads();$/&\r\1]] .. vim.fn.escape(env.CPR_ILLEGAL, [[/\&]]) .. '/')
  end)
  say('illegal', #shown())
  change('undo', #loops, function()
    vim.cmd('undo')
  end)
  say('again', #shown())
  say('end')
end

local ok, what = pcall(main)
if not ok then
  say('failed', tostring(what))
  vim.cmd('cquit 1')
end
vim.cmd('qall!')
