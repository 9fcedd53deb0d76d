package minimise

import (
	"fmt"
	"reflect"
	"slices"

	"darkroom/material/effect"
	"darkroom/material/morph"
	"darkroom/material/plugin"
	"darkroom/material/shader"
	"darkroom/material/splitsum"
	"darkroom/material/texture"
	"darkroom/scenes"
	"darkroom/scenes/export"
	"darkroom/scenes/mesh"
	"darkroom/scenes/shadow"
	"darkroom/scenes/transmission"
)

// call writes a constructor that may fail as a variable and returns its name.
func (w *sourceWriter) call(v reflect.Value, code string) string {
	name := w.name()
	w.vars[v.Pointer()] = name
	fmt.Fprintf(&w.body, "%s, err := %s\nif err != nil {\nreturn nil, err\n}\n", name, code)
	return name
}

// use imports the package of a type.
func (w *sourceWriter) use(t reflect.Type) { w.typ(t) }

// recipe writes what v points to by the constructor of its type, where it has one.
func (w *sourceWriter) recipe(v reflect.Value, where string) (name string, ok bool) {
	if !v.CanInterface() {
		return "", false
	}
	expr := func(x any, field string) string { return w.value(reflect.ValueOf(x), where+"."+field) }
	assign := func(name, field string, x any) {
		if r := reflect.ValueOf(x); !r.IsZero() {
			fmt.Fprintf(&w.body, "%s.%s = %s\n", name, field, w.value(r, where+"."+field))
		}
	}
	casters := func(list []*scenes.Node) (out string) {
		for _, n := range list {
			out += ", " + expr(n, "Casters")
		}
		return out
	}
	switch x := v.Interface().(type) {
	case *mesh.Geometry:
		if !export.Builds(x) {
			return "", false
		}
		w.use(v.Type().Elem())
		name = w.call(v, "mesh."+x.Builder.Name+"("+expr(x.Builder.Options, "Builder.Options")+")")
		fmt.Fprintf(&w.body, "%s.Name = %q\n", name, x.Name)
	case *texture.Texture:
		if x != splitsum.Table() {
			return "", false
		}
		w.imports["darkroom/material/splitsum"] = "splitsum"
		return "splitsum.Table()", true
	case *morph.Morph:
		w.use(v.Type().Elem())
		name = w.call(v, fmt.Sprintf("morph.New(%d, %s, %s)", x.Vertices(), expr(x.Shapes(), "Shapes"), expr(x.Weights, "Weights")))
	case *shadow.Map:
		w.use(v.Type().Elem())
		name = w.call(v, "shadow.PCF("+expr(x.Light, "Light")+", "+expr(x.Options, "Options")+casters(x.Casters)+")")
	case *shadow.Exponential:
		w.use(v.Type().Elem())
		name = w.call(v, "shadow.ESM("+expr(x.Light, "Light")+", "+expr(x.Options, "Options")+", "+expr(x.Softness, "Softness")+casters(x.Casters)+")")
	case *shadow.Cascades:
		w.use(v.Type().Elem())
		name = w.call(v, "shadow.CSM("+expr(x.Light, "Light")+", "+expr(x.Options, "Options")+casters(x.Casters)+")")
		assign(name, "Count", x.Count)
		for _, f := range []struct {
			name string
			v    float64
		}{{"Lambda", x.Lambda}, {"Blend", x.Blend}, {"MaxDistance", x.MaxDistance}} {
			fmt.Fprintf(&w.body, "%s.%s = %s\n", name, f.name, w.float(f.v, 64))
		}
		fmt.Fprintf(&w.body, "%s.Stable = %v\n", name, x.Stable)
	case *plugin.Material:
		w.use(v.Type().Elem())
		args := w.value(reflect.ValueOf(&x.Host).Elem(), where+".Host")
		for i, p := range x.Plugins {
			args += ", " + expr(p, fmt.Sprintf("Plugins[%d]", i))
		}
		name = w.call(v, "plugin.Wrap("+args+")")
	case *shader.Material:
		return w.shader(v, x, where, expr)
	default:
		return "", false
	}
	return name, true
}

// shader writes a user's material with what is bound to it.
func (w *sourceWriter) shader(v reflect.Value, m *shader.Material, where string, expr func(any, string) string) (string, bool) {
	o, ok := m.Options()
	if !ok {
		w.lost[where+" (a view's own state, which is code)"] = true
	}
	w.use(v.Type().Elem())
	name := w.call(v, "shader.New("+expr(o, "Options")+")")
	set := func(call string) {
		fmt.Fprintf(&w.body, "if err := %s.%s; err != nil {\nreturn nil, err\n}\n", name, call)
	}
	for _, s := range o.Samplers {
		if t := m.Texture(s.Name); t != nil {
			set(fmt.Sprintf("SetTexture(%q, %s)", s.Name, expr(t, s.Name)))
		}
	}
	for _, b := range o.Buffers {
		if x := m.Buffer(b.Name); x != nil {
			set(fmt.Sprintf("SetBuffer(%q, %s)", b.Name, expr(x, b.Name)))
		}
	}
	for _, e := range o.Externals {
		if m.External(e) != nil {
			w.lost[where+"."+e+" (a video, which is code)"] = true
		}
	}
	if slices.Contains(o.System, shader.AlphaCutoff) {
		set(fmt.Sprintf("SetFloat(%q, %s)", shader.AlphaCutoff, w.float(m.AlphaCutoff(), 64)))
	}
	return name, true
}

// special writes fields that are not plain data in a way of their own; it
// reports whether it did.
func (w *sourceWriter) special(v reflect.Value, field, name, where string) bool {
	switch v.Type() {
	case reflect.TypeFor[scenes.Scene]():
		switch field {
		case "Before", "Updaters", "Features":
			return true // written at the end
		case "Models":
			return true // they say where parts came from and change no picture
		case "Jitter":
			list := make([][2]float64, max(1, w.scene.Frames))
			for i := range list {
				list[i] = w.scene.Jitter(i)
			}
			table := w.name()
			fmt.Fprintf(&w.body, "%s := %s\n", table, w.value(reflect.ValueOf(list), where))
			fmt.Fprintf(&w.body, "%s.Jitter = func(frame int) [2]float64 { return %s[min(frame, len(%s)-1)] }\n", name, table, table)
			return true
		}
	case reflect.TypeFor[effect.Effect]():
		if field != "Values" || !v.CanAddr() {
			return false
		}
		e := v.Addr().Interface().(*effect.Effect)
		p := w.passes[e]
		if p == nil {
			return false
		}
		for i, u := range e.Values {
			list, ok := perFrame(w.scene, p, u.Func, w.o.Time, w.o.Width, w.o.Height)
			f := u.Func
			u.Func = nil
			value := w.value(reflect.ValueOf(u), fmt.Sprintf("%s.Values[%d]", where, i))
			fmt.Fprintf(&w.body, "%s.Values = append(%s.Values, %s)\n", name, name, value)
			switch {
			case f == nil:
			case !ok:
				w.lost[fmt.Sprintf("%s.Values[%d].Func (a function)", where, i)] = true
			default:
				w.imports["darkroom/material"] = "material"
				table := w.name()
				fmt.Fprintf(&w.body, "%s := %s\n", table, w.value(reflect.ValueOf(list), where))
				fmt.Fprintf(&w.body, "%s.Values[%d].Func = func(s material.System) any { return %s[min(s.Frame, len(%s)-1)] }\n", name, i, table, table)
			}
		}
		return true
	}
	return false
}

// ahead writes what runs ahead of the main pass: shadows and the picture behind
// glass by what adds them to a scene, other tasks as they are.
func (w *sourceWriter) ahead(scene string) {
	owner := map[scenes.Task]maker{}
	own := map[any]bool{}
	for i, u := range w.scene.Updaters {
		m, ok := u.(maker)
		if !ok {
			w.lost[fmt.Sprintf("scene.Updaters[%d] (a %T)", i, u)] = true
			continue
		}
		own[u] = true
		for _, t := range m.Tasks() {
			owner[t] = m
		}
	}
	for i, f := range w.scene.Features {
		if !own[f] {
			fmt.Fprintf(&w.body, "%s.Features = append(%s.Features, %s)\n", scene, scene, w.value(reflect.ValueOf(f), fmt.Sprintf("scene.Features[%d]", i)))
		}
	}
	done := map[maker]bool{}
	for i, t := range w.scene.Before {
		m := owner[t]
		where := fmt.Sprintf("scene.Before[%d]", i)
		switch {
		case m == nil:
			fmt.Fprintf(&w.body, "%s.Before = append(%s.Before, %s)\n", scene, scene, w.value(reflect.ValueOf(t), where))
		case done[m]:
		default:
			done[m] = true
			if _, ok := m.(*transmission.Grab); ok {
				w.imports["darkroom/scenes/transmission"] = "transmission"
				fmt.Fprintf(&w.body, "transmission.Add(%s)\n", scene)
				continue
			}
			if _, ok := reflect.TypeOf(m).MethodByName("AddTo"); !ok {
				w.lost[where+fmt.Sprintf(" (made by a %T)", m)] = true
				continue
			}
			fmt.Fprintf(&w.body, "if err := %s.AddTo(%s); err != nil {\nreturn nil, err\n}\n", w.value(reflect.ValueOf(m), where), scene)
		}
	}
}
